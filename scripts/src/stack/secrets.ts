import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { DATABASE_PROCESSES, type DatabaseProcess } from '../migrations.js';

/** Made once for an installation and kept: sessions, mailed links and database roles outlive a restart. */
export interface Secrets {
  session: string;
  identity: string;
  resetCode: string;
  link: string;
  databasePasswords: Record<DatabaseProcess, string>;
  /** Password of the demo community's members. */
  memberPassword: string;
  /** Password of the demo community's administrator unless ADMIN_PASSWORD is given. */
  adminPassword: string;
}

const KEY_BYTES = 32;
const PASSWORD_BYTES = 9;

const secret = (bytes: number): string => randomBytes(bytes).toString('base64url');

export function makeSecrets(): Secrets {
  const passwords = DATABASE_PROCESSES.map((process) => [process, secret(KEY_BYTES)]);
  return {
    session: secret(KEY_BYTES),
    identity: secret(KEY_BYTES),
    resetCode: secret(KEY_BYTES),
    link: secret(KEY_BYTES),
    databasePasswords: Object.fromEntries(passwords) as Secrets['databasePasswords'],
    memberPassword: secret(PASSWORD_BYTES),
    adminPassword: secret(PASSWORD_BYTES),
  };
}

/** Reads the secrets of this installation, or makes them at the first start. Only the user can read the file. */
export function loadSecrets(file: string): Secrets {
  const fresh = makeSecrets();
  if (!fs.existsSync(file)) return save(file, fresh);
  const kept = readJson(file);
  // A newer version may need one that an older file does not have yet.
  const merged = {
    ...fresh,
    ...kept,
    databasePasswords: { ...fresh.databasePasswords, ...kept.databasePasswords },
  };
  return save(file, merged);
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
