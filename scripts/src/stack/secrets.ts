import type { RedisUser } from '@meetmark/testing';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { DATABASE_PROCESSES, type DatabaseProcess } from '../migrations.js';
import { PROCESSES } from './processes.js';

/** Secrets of an installation. Sessions, emailed links and database roles depend on them. */
export interface Secrets {
  session: string;
  identityKeys: { privateKey: string; publicKey: string };
  rpc: string;
  resetCode: string;
  secondFactor: string;
  link: string;
  guestCode: string;
  databasePasswords: Record<DatabaseProcess, string>;
  redisPasswords: Record<RedisUser, string>;
  memberPassword: string;
  adminEmail: string;
  adminPassword: string;
}

export type Chosen = Partial<Pick<Secrets, 'adminEmail' | 'adminPassword'>>;

const KEY_BYTES = 32;
const PASSWORD_BYTES = 9;
const ADMIN_EMAIL = 'admin@meetmark.example';

const secret = (bytes: number): string => randomBytes(bytes).toString('base64url');

export function makeSecrets(): Secrets {
  const generateSecrets = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, secret(KEY_BYTES)]));
  return {
    session: secret(KEY_BYTES),
    identityKeys: makeIdentityKeys(),
    rpc: secret(KEY_BYTES),
    resetCode: secret(KEY_BYTES),
    secondFactor: secret(KEY_BYTES),
    link: secret(KEY_BYTES),
    guestCode: secret(KEY_BYTES),
    databasePasswords: generateSecrets(DATABASE_PROCESSES) as Secrets['databasePasswords'],
    redisPasswords: generateSecrets(['operator', ...PROCESSES]) as Secrets['redisPasswords'],
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

export const getKeys = ({ identityKeys, rpc }: Secrets) => ({
  identityPrivateKey: identityKeys.privateKey,
  identityPublicKeys: [identityKeys.publicKey],
  rpcSecrets: [rpc],
});

/**
 * Loads or creates the secrets, replaces the `chosen` ones and saves all. Only this user can read the file.
 */
export function loadSecrets(file: string, chosen: Chosen = {}): Secrets {
  const fresh = makeSecrets();
  const kept = fs.existsSync(file) ? readJson(file) : {};
  const given = Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined));
  // Files of older versions lack some of these passwords.
  const databasePasswords = { ...fresh.databasePasswords, ...kept.databasePasswords };
  const redisPasswords = { ...fresh.redisPasswords, ...kept.redisPasswords };
  return save(file, { ...fresh, ...kept, ...given, databasePasswords, redisPasswords });
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
    throw new Error(
      `${file} is not valid JSON. Repair it, or remove it to create new secrets, which signs everyone out.`,
      {
        cause: error,
      },
    );
  }
}
