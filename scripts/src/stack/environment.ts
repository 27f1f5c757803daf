import { isLoopback } from '@meetmark/platform/config/production';
import { isIPv6 } from 'node:net';
import path from 'node:path';
import { getDatabaseRole } from '../migrations.js';
import { getFolder, type ProcessName } from './processes.js';
import type { Secrets } from './secrets.js';

export interface Surroundings {
  root: string;
  webRoot: string;
  databaseUrl: string;
  poolSize: number;
  redisUrl: string;
  /** Whether each process has its own Redis user. Otherwise, all processes use the same URL. */
  hasRedisUsers: boolean;
  smtpUrl: string;
  publicUrl: string;
  /** Whether a proxy at `publicUrl` serves all gateways. Otherwise, clients use each gateway's own port. */
  hasFront: boolean;
  host: string;
  listenAt: string;
  secrets: Secrets;
  inherited: NodeJS.ProcessEnv;
}

/** Variables that only the supervisor needs. Its processes mustn't inherit them. */
const NOT_INHERITED = ['ADMIN_EMAIL', 'ADMIN_PASSWORD', 'NODE_OPTIONS', 'SMTP_URL'];
const MAIL_FROM = 'no-reply@meetmark.localhost';

const toVariables = ({ identityKeys, ...secrets }: Secrets) => ({
  IDENTITY_PRIVATE_KEY: identityKeys.privateKey,
  IDENTITY_PUBLIC_KEYS: identityKeys.publicKey,
  RPC_SECRETS: secrets.rpc,
  SESSION_SECRETS: secrets.session,
  LINK_SECRETS: secrets.link,
  RESET_CODE_SECRETS: secrets.resetCode,
  SECOND_FACTOR_SECRETS: secrets.secondFactor,
  GUEST_CODE_SECRETS: secrets.guestCode,
});
const OF_SERVICES = ['IDENTITY_PUBLIC_KEYS', 'RPC_SECRETS'] as const;
const NEEDED: Record<ProcessName, readonly (keyof ReturnType<typeof toVariables>)[]> = {
  gateway: [...OF_SERVICES, 'IDENTITY_PRIVATE_KEY', 'SESSION_SECRETS', 'LINK_SECRETS'],
  auth: [...OF_SERVICES, 'RESET_CODE_SECRETS', 'SECOND_FACTOR_SECRETS'],
  events: [...OF_SERVICES, 'GUEST_CODE_SECRETS'],
  admin: OF_SERVICES,
  worker: ['LINK_SECRETS', 'RESET_CODE_SECRETS', 'GUEST_CODE_SECRETS'],
};

export function buildEnvironment(
  name: ProcessName,
  around: Surroundings,
  ports: { operations: number; public?: number | undefined },
): NodeJS.ProcessEnv {
  const { root, secrets, inherited, hasFront, hasRedisUsers, publicUrl } = around;
  const variables = toVariables(secrets);
  const isProduction = hasRedisUsers && (hasFront || isLoopback(publicUrl));
  return {
    ...Object.fromEntries(
      Object.entries(inherited).filter(([variable]) => !NOT_INHERITED.includes(variable)),
    ),
    NODE_ENV: inherited['NODE_ENV'] || (isProduction ? 'production' : 'development'),
    COMMUNITY_CONFIG: getCommunityFile(root, inherited),
    DATABASE_URL: urlForRole(around.databaseUrl, getDatabaseRole(name), secrets.databasePasswords[name]),
    DATABASE_POOL_SIZE: String(around.poolSize),
    REDIS_URL: hasRedisUsers
      ? urlForRole(around.redisUrl, name, secrets.redisPasswords[name])
      : around.redisUrl,
    OPERATIONS_PORT: String(ports.operations),
    OPERATIONS_HOST: '127.0.0.1',
    PUBLIC_URL: publicUrl,
    ...Object.fromEntries(NEEDED[name].map((variable) => [variable, variables[variable]])),
    ...(name === 'worker' && {
      ...{ SMTP_URL: around.smtpUrl, MAIL_FROM: inherited['MAIL_FROM'] || MAIL_FROM },
    }),
    ...(name === 'gateway' && {
      ...{ PORT: String(ports.public), HOST: around.listenAt, WEB_ROOT: around.webRoot },
      PUBLIC_URL: hasFront ? publicUrl : siteUrl(around.host, ports.public),
    }),
  };
}

const EVERY_ADDRESS = ['0.0.0.0', '::'];
const LOOPBACK = ['127.0.0.1', '::1'];

export function siteUrl(host: string, port: number | undefined): string {
  const isHere = [...EVERY_ADDRESS, ...LOOPBACK].includes(host);
  return `http://${isHere ? 'localhost' : isIPv6(host) ? `[${host}]` : host}:${port}`;
}

export const getCommunityFile = (root: string, inherited: NodeJS.ProcessEnv): string =>
  path.resolve(root, inherited['COMMUNITY_CONFIG'] || 'config/demo/community.json');

/**
 * Returns the file that starts a built process. A bundle contains copies of the libraries and ignores newer
 * ones.
 */
export const getEntryPath = (root: string, name: ProcessName, isBundled = true): string =>
  path.join(root, getFolder(name), isBundled ? 'dist/process/main.js' : 'dist/main.js');

export function urlForRole(ownerUrl: string, role: string, password: string): string {
  return Object.assign(new URL(ownerUrl), { username: role, password }).href;
}
