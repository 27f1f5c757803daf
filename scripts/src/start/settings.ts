import { LIMITS } from '@meetmark/contracts/limits';
import { normalisePassword } from '@meetmark/contracts/normalise';
import { isEmail, isFQDN, isIP, length, maxLength } from 'class-validator';
import { parseReplicas, type Replicas } from '../stack/processes.js';

export interface Settings {
  root: string;
  directory: string;
  watch: boolean;
  /** Whether to start without the demo. Anyone with the printed link can then set up the community. */
  empty: boolean;
  port: number;
  /** Whether the user chose the port. Otherwise, Meetmark may use the next free port. */
  portIsExplicit: boolean;
  host: string;
  publicUrl: string | undefined;
  replicas: Replicas;
  administrator: { email: string | undefined; password: string | undefined };
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
  smtpUrl: string | undefined;
  environment: NodeJS.ProcessEnv;
}

export const DEFAULT_PORT = 8080;
const MAX_PORT = 65_535;

/** @throws Error naming the variable and its valid values */
export function readSettings(
  root: string,
  directory: string,
  environment: NodeJS.ProcessEnv,
  args: string[],
): Settings {
  const value = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const read = (name: string, isValid: (text: string) => boolean, advice: string) => {
    const text = value(name);
    if (text === undefined || isValid(text)) return text;
    throw new Error(`${name}: '${text}' ${advice}`);
  };
  const port = read(
    'PORT',
    (text) => Number.isInteger(Number(text)) && Number(text) >= 1 && Number(text) <= MAX_PORT,
    `is not a port. Use a number from 1 to ${MAX_PORT}, for example PORT=8090 npm start`,
  );
  const host = read(
    'HOST',
    (text) => isIP(text) || isFQDN(text, { require_tld: false, allow_trailing_dot: true }),
    'is neither an IP address nor a host name. For example HOST=0.0.0.0 npm start, for every address of this machine',
  );
  // Rejects email addresses and passwords with which nobody could sign in.
  const email = read(
    'ADMIN_EMAIL',
    (text) => isEmail(text, { allow_utf8_local_part: false }) && maxLength(text, LIMITS.email),
    'is not an email address. For example ADMIN_EMAIL=me@example.org npm start',
  );
  const typed = value('ADMIN_PASSWORD');
  const password = typed && normalisePassword(typed);
  if (password !== undefined && !length(password, LIMITS.passwordMin, LIMITS.password))
    throw new Error(`ADMIN_PASSWORD: use ${LIMITS.passwordMin} to ${LIMITS.password} characters`);
  const empty = args.includes('--empty');
  return {
    ...{ root, directory, empty, watch: args.includes('--watch') },
    ...{ port: Number(port ?? DEFAULT_PORT), portIsExplicit: port !== undefined },
    // By default, only this machine has access, because the demo's passwords are printed.
    host: host ?? '127.0.0.1',
    publicUrl: value('PUBLIC_URL'),
    replicas: parseReplicas(value('REPLICAS')),
    administrator: { email, password },
    ...{ databaseUrl: value('DATABASE_URL'), redisUrl: value('REDIS_URL'), smtpUrl: value('SMTP_URL') },
    environment: empty ? { COMMUNITY_CONFIG: 'config/community.json', ...environment } : environment,
  };
}
