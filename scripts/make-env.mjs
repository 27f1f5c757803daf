#!/usr/bin/env node
// Makes the random secrets of an installation. Plain JavaScript: it runs before anything is installed.
//   node scripts/make-env.mjs [FILE]          writes .env for Docker Compose; to an existing one it only adds the secrets it lacks
//   node scripts/make-env.mjs --kubernetes    prints the Secret `meetmark` of the local overlay
//   node scripts/make-env.mjs --identity      prints another pair of identity keys, to rotate them
import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

const PROCESSES = ['gateway', 'auth', 'events', 'admin', 'worker'];
const secret = () => randomBytes(32).toString('base64url');
const named = (names) => Object.fromEntries(names.map((name) => [name, secret()]));

const signing = named([
  'SESSION_SECRETS',
  'LINK_SECRETS',
  'RESET_CODE_SECRETS',
  'SECOND_FACTOR_SECRETS',
  'GUEST_CODE_SECRETS',
  // for messages: one for each two processes that speak to each other
  'GATEWAY_AUTH_SECRETS',
  'GATEWAY_EVENTS_SECRETS',
  'GATEWAY_ADMIN_SECRETS',
  'ADMIN_AUTH_SECRETS',
  'ADMIN_EVENTS_SECRETS',
]);
const base64url = (key, type) => key.export({ format: 'der', type }).toString('base64url');
const identityKeys = (privateKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey) => ({
  IDENTITY_PRIVATE_KEY: base64url(privateKey, 'pkcs8'),
  IDENTITY_PUBLIC_KEYS: base64url(createPublicKey(privateKey), 'spki'),
});
const identity = identityKeys();
const passwords = named([
  'POSTGRES_PASSWORD',
  ...PROCESSES.map((name) => `${name.toUpperCase()}_DB_PASSWORD`),
  'OPERATOR_REDIS_PASSWORD',
  ...PROCESSES.map((name) => `${name.toUpperCase()}_REDIS_PASSWORD`),
]);
const administrator = {
  ADMIN_EMAIL: 'admin@meetmark.example',
  ADMIN_PASSWORD: randomBytes(9).toString('base64url'),
};

if (process.argv.includes('--identity')) process.stdout.write(lines(identity));
else if (process.argv.includes('--kubernetes')) process.stdout.write(kubernetesSecret());
else {
  const file = process.argv[2] ?? '.env';
  if (existsSync(file)) complete(file);
  else write(file);
}

function write(file) {
  writeFileSync(file, lines({ ...passwords, ...identity, ...signing, ...administrator }), { mode: 0o600 });
  console.log(`${file} written.`);
  tellAdministrator();
}

function tellAdministrator() {
  console.log(
    `The first administrator will be ${administrator.ADMIN_EMAIL} / ${administrator.ADMIN_PASSWORD}`,
  );
}

/** For an upgrade: what a newer version needs is added, what is there stays. A file without any secret has had no administrator yet. */
function complete(file) {
  const text = readFileSync(file, 'utf8');
  const kept = parseEnv(text);
  const wanted = { ...passwords, ...identityFor(kept), ...signing };
  const missing = Object.entries(wanted).filter(([name]) => !kept[name]);
  if (missing.length === 0) {
    console.log(`${file} has every secret already; nothing was changed.`);
    return;
  }
  const isFirst = missing.length === Object.keys(wanted).length && !kept.ADMIN_EMAIL;
  const added = { ...Object.fromEntries(missing), ...(isFirst ? administrator : {}) };
  appendFileSync(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}${lines(added)}`);
  console.log(`${file}: added ${Object.keys(added).join(', ')}.`);
  if (isFirst) tellAdministrator();
}

/** The public key belongs to the private one that is there. */
function identityFor({ IDENTITY_PRIVATE_KEY: kept }) {
  if (!kept) return identity;
  return identityKeys(
    createPrivateKey({ key: Buffer.from(kept, 'base64url'), format: 'der', type: 'pkcs8' }),
  );
}

function lines(values) {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

function kubernetesSecret() {
  const kebab = (name) => name.toLowerCase().replaceAll('_', '-');
  const of = (name, what) => passwords[`${name.toUpperCase()}_${what}_PASSWORD`];
  const urls = Object.fromEntries(
    PROCESSES.flatMap((name) => [
      [`${name}-database-url`, `postgres://meetmark_${name}:${of(name, 'DB')}@postgres:5432/meetmark`],
      [`${name}-redis-url`, `redis://${name}:${of(name, 'REDIS')}@redis:6379`],
    ]),
  );
  const data = {
    ...Object.fromEntries(
      Object.entries({ ...passwords, ...identity, ...signing, ...administrator }).map(([name, value]) => [
        kebab(name),
        value,
      ]),
    ),
    ...urls,
    'migration-database-url': `postgres://meetmark:${passwords.POSTGRES_PASSWORD}@postgres:5432/meetmark`,
    'smtp-url': 'smtp://mail:1025?tls=off',
  };
  const entries = Object.entries(data).map(([name, value]) => `  ${name}: ${JSON.stringify(value)}\n`);
  return `apiVersion: v1\nkind: Secret\nmetadata:\n  name: meetmark\n  namespace: meetmark\nstringData:\n${entries.join('')}`;
}
