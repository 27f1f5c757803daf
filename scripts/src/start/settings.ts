import { LIMITS } from '@meetmark/contracts/limits';
import { isEmail, isFQDN, isIP, length, maxLength } from 'class-validator';
import { parseReplicas, type Replicas } from '../stack/processes.js';

/** What the user may set for `npm start`. */
export interface Settings {
  root: string;
  /** Data, secrets and logs of this checkout. */
  directory: string;
  /** Rebuild and restart what changes, and serve the web application by Vite. */
  watch: boolean;
  /** Without the demo community: whoever has the printed link sets up their own. */
  empty: boolean;
  port: number;
  /** False: a taken port is no error, the next free one is used. */
  portIsExplicit: boolean;
  /** Address or name to listen at; a name is looked up at the start. */
  host: string;
  publicUrl: string | undefined;
  replicas: Replicas;
  /** Undefined parts are made up at the first start and kept. */
  administrator: { email: string | undefined; password: string | undefined };
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
  smtpUrl: string | undefined;
  environment: NodeJS.ProcessEnv;
}

export const DEFAULT_PORT = 8080;
const MAX_PORT = 65_535;

/** @throws Error that names the variable and says what it takes */
export function readSettings(
  root: string,
  directory: string,
  environment: NodeJS.ProcessEnv,
  args: string[],
): Settings {
  const value = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const empty = args.includes('--empty');
  return {
    root,
    directory,
    watch: args.includes('--watch'),
    empty,
    port: parsePort(value('PORT')),
    portIsExplicit: value('PORT') !== undefined,
    host: parseHost(value('HOST')),
    publicUrl: value('PUBLIC_URL'),
    replicas: parseReplicas(value('REPLICAS')),
    administrator: {
      email: parseEmail(value('ADMIN_EMAIL')),
      password: parsePassword(value('ADMIN_PASSWORD')),
    },
    databaseUrl: value('DATABASE_URL'),
    redisUrl: value('REDIS_URL'),
    smtpUrl: value('SMTP_URL'),
    environment: empty ? { COMMUNITY_CONFIG: 'config/community.json', ...environment } : environment,
  };
}

function parsePort(text: string | undefined): number {
  if (text === undefined) return DEFAULT_PORT;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= MAX_PORT) return port;
  throw new Error(
    `PORT: '${text}' is not a port. Give a number from 1 to ${MAX_PORT}, for example PORT=8090 npm start`,
  );
}

/** The demo's passwords are printed, so only this machine gets in by default. */
function parseHost(host = '127.0.0.1'): string {
  if (isIP(host) || isFQDN(host, { require_tld: false, allow_trailing_dot: true })) return host;
  throw new Error(
    `HOST: '${host}' is neither an IP address nor a host name. For example HOST=0.0.0.0 npm start, for every address of this machine`,
  );
}

/** An account whose address or password the sign-in refuses would be useless. */
function parseEmail(email: string | undefined): string | undefined {
  const isAddress = isEmail(email, { allow_utf8_local_part: false }) && maxLength(email, LIMITS.email);
  if (email === undefined || isAddress) return email;
  throw new Error(
    `ADMIN_EMAIL: '${email}' is no email address. For example ADMIN_EMAIL=me@example.org npm start`,
  );
}

function parsePassword(password: string | undefined): string | undefined {
  const { passwordMin, password: passwordMax } = LIMITS;
  if (password === undefined || length(password, passwordMin, passwordMax)) return password;
  throw new Error(`ADMIN_PASSWORD: give ${passwordMin} to ${passwordMax} characters`);
}
