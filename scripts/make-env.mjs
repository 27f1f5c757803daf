#!/usr/bin/env node
// Generates the random secrets of an installation. Plain JavaScript, because it runs before `npm ci`.
//   node scripts/make-env.mjs [FILE]          writes .env for Docker Compose, or adds missing secrets to an existing one
//   node scripts/make-env.mjs --demo          starts Compose with the demo community and prints its accounts once
//   node scripts/make-env.mjs --kubernetes    prints the Secret `meetmark` of the local overlay
//   node scripts/make-env.mjs --identity      prints a new pair of identity keys, for rotation
import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
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
  'RPC_SECRETS',
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

const made = { ...passwords, ...identity, ...signing };
const TOLD = `The first owner will be ${administrator.ADMIN_EMAIL} / ${administrator.ADMIN_PASSWORD}`;

/** Variables that only production installations set. */
const FOR_PEOPLE = ['PUBLIC_URL', 'SMTP_URL'];

if (process.argv.includes('--demo')) startDemo();
else if (process.argv.includes('--identity')) process.stdout.write(lines(identity));
else if (process.argv.includes('--kubernetes')) process.stdout.write(kubernetesSecret());
else {
  const file = process.argv[2] ?? '.env';
  if (existsSync(file)) complete(file);
  else {
    write(file);
    console.log(`Wrote ${file}.\n${TOLD}`);
  }
}

function write(file, more = {}) {
  writeFileSync(file, lines({ ...made, ...more, ...administrator }), { mode: 0o600 });
}

/**
 * Starts Compose with the demo. Writes .env unless it exists. Refuses a .env that belongs to another
 * installation.
 */
function startDemo() {
  const demo = {
    COMPOSE_PROFILES: 'demo',
    COMMUNITY_CONFIG: '/app/config/demo/community.json',
    DEMO_MEMBER_PASSWORD: randomBytes(9).toString('base64url'),
  };
  const isNew = !existsSync('.env');
  const kept = isNew ? {} : parseEnv(readFileSync('.env', 'utf8'));
  // Compose prefers shell variables to .env
  const given = { ...kept, ...process.env };
  const forPeople = FOR_PEOPLE.filter((name) => given[name]);
  const refusal = given.COMPOSE_FILE?.includes('production')
    ? 'the demo community is not for production: unset COMPOSE_FILE'
    : forPeople.length > 0
      ? `${forPeople.join(' and ')} ${forPeople.length > 1 ? 'belong' : 'belongs'} to an installation that people use`
      : !isNew && !kept.DEMO_MEMBER_PASSWORD
        ? '.env belongs to another installation: move it away first'
        : isNew && hasDatabase(given)
          ? 'there is a database, but no .env file with its passwords. Put .env back, or delete the data: docker compose down -v'
          : null;
  if (refusal !== null) {
    console.error(`Nothing was started: ${refusal}.`);
    process.exit(1);
  }
  if (isNew) write('.env', demo);
  const { status, error } = spawnSync('docker', ['compose', 'up', '-d', '--build', '--wait'], {
    stdio: 'inherit',
  });
  if (status === 0) {
    const port = given.PORT ?? 8080;
    console.log(
      `The demo community is at http://localhost:${port}; its emails are at http://localhost:8025.`,
    );
  } else {
    console.error(error ? `Could not run docker compose: ${error.message}` : 'docker compose failed.');
    console.error(
      'If seed-demo failed, the database already has accounts. See: docker compose logs seed-demo',
    );
    process.exitCode = status ?? 1;
  }
  // Prints new passwords even if Compose fails, because the next attempt doesn't print them.
  if (!isNew) return;
  console.log(`Owner: ${administrator.ADMIN_EMAIL} / ${administrator.ADMIN_PASSWORD}`);
  console.log(`Member: amelia.hartley@members.example / ${demo.DEMO_MEMBER_PASSWORD} (all members share it)`);
}

function hasDatabase({ COMPOSE_PROJECT_NAME: project = 'meetmark' }) {
  return spawnSync('docker', ['volume', 'inspect', `${project}_postgres`], { stdio: 'ignore' }).status === 0;
}

/**
 * Adds missing secrets to an existing .env. If the file had no secrets at all, also adds an administrator.
 */
function complete(file) {
  const text = readFileSync(file, 'utf8');
  const kept = parseEnv(text);
  const wanted = { ...made, ...identityFor(kept) };
  const missing = Object.entries(wanted).filter(([name]) => !kept[name]);
  if (missing.length === 0) {
    console.log(`${file} already has every secret. Nothing was changed.`);
    return;
  }
  const isFirst = missing.length === Object.keys(wanted).length && !kept.ADMIN_EMAIL;
  const added = { ...Object.fromEntries(missing), ...(isFirst ? administrator : {}) };
  appendFileSync(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}${lines(added)}`);
  console.log(`Added to ${file}: ${Object.keys(added).join(', ')}.`);
  if (isFirst) console.log(TOLD);
}

/** Derives the public key from an existing private one. */
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
  const values = Object.entries({ ...made, ...administrator }).map(([name, value]) => [kebab(name), value]);
  const data = {
    ...Object.fromEntries(values),
    ...urls,
    'migration-database-url': `postgres://meetmark:${passwords.POSTGRES_PASSWORD}@postgres:5432/meetmark`,
    'smtp-url': 'smtp://mail:1025?tls=off',
  };
  const entries = Object.entries(data).map(([name, value]) => `  ${name}: ${JSON.stringify(value)}\n`);
  return `apiVersion: v1\nkind: Secret\nmetadata:\n  name: meetmark\n  namespace: meetmark\nstringData:\n${entries.join('')}`;
}
