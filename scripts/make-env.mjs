#!/usr/bin/env node
// Makes the random secrets of an installation. Plain JavaScript: it runs before anything is installed.
//   node scripts/make-env.mjs [FILE]          writes .env for Docker Compose (never over an existing one)
//   node scripts/make-env.mjs --kubernetes    prints the Secret `meetmark` of the local overlay
import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';

const PROCESSES = ['gateway', 'auth', 'events', 'admin', 'worker'];
const secret = () => randomBytes(32).toString('base64url');
const named = (names) => Object.fromEntries(names.map((name) => [name, secret()]));

const signing = named(['IDENTITY_SECRETS', 'SESSION_SECRETS', 'LINK_SECRETS', 'RESET_CODE_SECRETS']);
const passwords = named([
  'POSTGRES_PASSWORD',
  'REDIS_PASSWORD',
  ...PROCESSES.map((name) => `${name.toUpperCase()}_DB_PASSWORD`),
]);
const administrator = {
  ADMIN_EMAIL: 'admin@meetmark.example',
  ADMIN_PASSWORD: randomBytes(9).toString('base64url'),
};

if (process.argv.includes('--kubernetes')) process.stdout.write(kubernetesSecret());
else writeEnvironment();

function writeEnvironment() {
  const file = process.argv[2] ?? '.env';
  if (existsSync(file)) {
    console.error(`${file} exists already; delete it first if its secrets may go.`);
    process.exit(1);
  }
  const values = Object.entries({ ...passwords, ...signing, ...administrator });
  writeFileSync(file, values.map(([name, value]) => `${name}=${value}\n`).join(''), { mode: 0o600 });
  console.log(`${file} written.`);
  console.log(
    `The first administrator will be ${administrator.ADMIN_EMAIL} / ${administrator.ADMIN_PASSWORD}`,
  );
}

function kubernetesSecret() {
  const kebab = (name) => name.toLowerCase().replaceAll('_', '-');
  const urls = Object.fromEntries(
    PROCESSES.map((name) => {
      const password = passwords[`${name.toUpperCase()}_DB_PASSWORD`];
      return [`${name}-database-url`, `postgres://meetmark_${name}:${password}@postgres:5432/meetmark`];
    }),
  );
  const data = {
    ...Object.fromEntries(
      Object.entries({ ...passwords, ...signing, ...administrator }).map(([name, value]) => [
        kebab(name),
        value,
      ]),
    ),
    ...urls,
    'migration-database-url': `postgres://meetmark:${passwords.POSTGRES_PASSWORD}@postgres:5432/meetmark`,
    'redis-url': `redis://:${passwords.REDIS_PASSWORD}@redis:6379`,
    'smtp-url': 'smtp://mail:1025',
  };
  const lines = Object.entries(data).map(([name, value]) => `  ${name}: ${JSON.stringify(value)}\n`);
  return `apiVersion: v1\nkind: Secret\nmetadata:\n  name: meetmark\n  namespace: meetmark\nstringData:\n${lines.join('')}`;
}
