import type { RedisUser } from '@meetmark/testing';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { DATABASE_PROCESSES, type DatabaseProcess } from '../migrations.js';
import { PROCESSES } from './processes.js';

/** Processes that speak to each other: each two share a secret for the messages of the first to the second. */
const PAIRS = ['gatewayAuth', 'gatewayEvents', 'gatewayAdmin', 'adminAuth', 'adminEvents'] as const;
type Pair = (typeof PAIRS)[number];

/** Made once for an installation and kept: sessions, mailed links and database roles outlive a restart. */
export interface Secrets {
  session: string;
  /** Signs who the caller of a message is, and verifies it. */
  identityKeys: { privateKey: string; publicKey: string };
  messages: Record<Pair, string>;
  resetCode: string;
  secondFactor: string;
  link: string;
  guestCode: string;
  databasePasswords: Record<DatabaseProcess, string>;
  redisPasswords: Record<RedisUser, string>;
  /** Password of the demo community's members. */
  memberPassword: string;
  /** The demo community's administrator. */
  adminEmail: string;
  adminPassword: string;
}

/** What the user decides instead of us. */
export type Chosen = Partial<Pick<Secrets, 'adminEmail' | 'adminPassword'>>;

const KEY_BYTES = 32;
const PASSWORD_BYTES = 9;
const ADMIN_EMAIL = 'admin@meetmark.example';

const secret = (bytes: number): string => randomBytes(bytes).toString('base64url');

export function makeSecrets(): Secrets {
  const secretsOf = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, secret(KEY_BYTES)]));
  return {
    session: secret(KEY_BYTES),
    identityKeys: makeIdentityKeys(),
    messages: secretsOf(PAIRS) as Secrets['messages'],
    resetCode: secret(KEY_BYTES),
    secondFactor: secret(KEY_BYTES),
    link: secret(KEY_BYTES),
    guestCode: secret(KEY_BYTES),
    databasePasswords: secretsOf(DATABASE_PROCESSES) as Secrets['databasePasswords'],
    redisPasswords: secretsOf(['operator', ...PROCESSES]) as Secrets['redisPasswords'],
    memberPassword: secret(PASSWORD_BYTES),
    adminEmail: ADMIN_EMAIL,
    adminPassword: secret(PASSWORD_BYTES),
  };
}

function makeIdentityKeys(): Secrets['identityKeys'] {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64url'),
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64url'),
  };
}

/** As the configuration of a process has them. */
export const keysOf = ({ identityKeys, messages }: Secrets) => ({
  identityPrivateKey: identityKeys.privateKey,
  identityPublicKeys: [identityKeys.publicKey],
  gatewayAuthSecrets: [messages.gatewayAuth],
  gatewayEventsSecrets: [messages.gatewayEvents],
  gatewayAdminSecrets: [messages.gatewayAdmin],
  adminAuthSecrets: [messages.adminAuth],
  adminEventsSecrets: [messages.adminEvents],
});

/**
 * Reads the secrets of this installation, or makes them at the first start; `chosen` ones are kept too. Only the user can read
 * the file.
 */
export function loadSecrets(file: string, chosen: Chosen = {}): Secrets {
  const fresh = makeSecrets();
  const kept = fs.existsSync(file) ? readJson(file) : {};
  const given = Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined));
  // A newer version may need one that an older file does not have yet.
  const databasePasswords = { ...fresh.databasePasswords, ...kept.databasePasswords };
  const redisPasswords = { ...fresh.redisPasswords, ...kept.redisPasswords };
  const messages = { ...fresh.messages, ...kept.messages };
  return save(file, { ...fresh, ...kept, ...given, databasePasswords, redisPasswords, messages });
}

function save(file: string, secrets: Secrets): Secrets {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const unfinished = `${file}.unfinished`;
  fs.writeFileSync(unfinished, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  fs.renameSync(unfinished, file);
  return secrets;
}

function readJson(file: string): Partial<Secrets> {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')) as Partial<Secrets>;
  } catch (error) {
    throw new Error(`${file} is not valid JSON. Repair it, or remove it: new secrets sign everybody out.`, {
      cause: error,
    });
  }
}
