import { isLoopback } from '@meetmark/platform/config/production';
import { isIPv6 } from 'node:net';
import path from 'node:path';
import { roleOf } from '../migrations.js';
import { folderOf, type ProcessName } from './processes.js';
import type { Secrets } from './secrets.js';

/** What all processes of one stack share. */
export interface Surroundings {
  root: string;
  /** Where the built web application is. */
  webRoot: string;
  /** Owner's connection string; each process gets its own role's. */
  databaseUrl: string;
  poolSize: number;
  redisUrl: string;
  /** True when each process has its own user there; otherwise all use the address as it is. */
  hasRedisUsers: boolean;
  smtpUrl: string;
  /** Where browsers reach the site. */
  publicUrl: string;
  /** True when `publicUrl` is in front of all gateways; otherwise each gateway is reached at its own port. */
  hasFront: boolean;
  /** Name or address at which the gateways are reached. */
  host: string;
  /** IP address at which the gateways listen. */
  listenAt: string;
  secrets: Secrets;
  /** Variables of the caller: log level, rate limits and the like. */
  inherited: NodeJS.ProcessEnv;
}

/** Variables that mean something to the supervisor and must not reach a process by accident. */
const NOT_INHERITED = ['ADMIN_EMAIL', 'ADMIN_PASSWORD', 'NODE_OPTIONS', 'SMTP_URL'];
/** Hardly asked by anybody: their first query after a quiet time may wait for a connection, and costs no process of PostgreSQL until then. */
const SELDOM_ASKED: ProcessName[] = ['auth', 'admin'];
const MAIL_FROM = 'no-reply@meetmark.localhost';

/** The environment of one replica. Gateways alone have a public port. */
export function environmentOf(
  name: ProcessName,
  around: Surroundings,
  ports: { operations: number; public?: number | undefined },
): NodeJS.ProcessEnv {
  const { root, secrets, inherited } = around;
  const common: NodeJS.ProcessEnv = {
    ...Object.fromEntries(
      Object.entries(inherited).filter(([variable]) => !NOT_INHERITED.includes(variable)),
    ),
    // at a HOST of this machine's network it is tried without TLS, which production refuses
    NODE_ENV:
      inherited['NODE_ENV'] ||
      (around.hasFront || isLoopback(around.publicUrl) ? 'production' : 'development'),
    COMMUNITY_CONFIG: communityFileOf(root, inherited),
    DATABASE_URL: urlForRole(around.databaseUrl, roleOf(name), secrets.databasePasswords[name]),
    DATABASE_POOL_SIZE: String(around.poolSize),
    DATABASE_POOL_READY: inherited['DATABASE_POOL_READY'] || (SELDOM_ASKED.includes(name) ? '0' : '1'),
    REDIS_URL: around.hasRedisUsers
      ? urlForRole(around.redisUrl, name, secrets.redisPasswords[name])
      : around.redisUrl,
    OPERATIONS_PORT: String(ports.operations),
    OPERATIONS_HOST: '127.0.0.1',
    PUBLIC_URL: around.publicUrl,
    // tried on this machine by people who only look; where others reach it the owner's password alone is not enough
    ADMIN_SECOND_FACTOR:
      inherited['ADMIN_SECOND_FACTOR'] || (isLoopback(around.publicUrl) ? 'encouraged' : 'required'),
  };
  switch (name) {
    case 'auth':
      return {
        ...common,
        IDENTITY_PUBLIC_KEYS: secrets.identityKeys.publicKey,
        GATEWAY_AUTH_SECRETS: secrets.messages.gatewayAuth,
        ADMIN_AUTH_SECRETS: secrets.messages.adminAuth,
        RESET_CODE_SECRETS: secrets.resetCode,
        SECOND_FACTOR_SECRETS: secrets.secondFactor,
      };
    case 'events':
      return {
        ...common,
        IDENTITY_PUBLIC_KEYS: secrets.identityKeys.publicKey,
        GATEWAY_EVENTS_SECRETS: secrets.messages.gatewayEvents,
        ADMIN_EVENTS_SECRETS: secrets.messages.adminEvents,
        GUEST_CODE_SECRETS: secrets.guestCode,
      };
    case 'admin':
      return {
        ...common,
        IDENTITY_PUBLIC_KEYS: secrets.identityKeys.publicKey,
        GATEWAY_ADMIN_SECRETS: secrets.messages.gatewayAdmin,
        ADMIN_AUTH_SECRETS: secrets.messages.adminAuth,
        ADMIN_EVENTS_SECRETS: secrets.messages.adminEvents,
      };
    case 'worker':
      return {
        ...common,
        SMTP_URL: around.smtpUrl,
        MAIL_FROM: inherited['MAIL_FROM'] || MAIL_FROM,
        LINK_SECRETS: secrets.link,
        RESET_CODE_SECRETS: secrets.resetCode,
        GUEST_CODE_SECRETS: secrets.guestCode,
      };
    case 'gateway':
      return {
        ...common,
        PUBLIC_URL: around.hasFront ? around.publicUrl : siteUrl(around.host, ports.public),
        PORT: String(ports.public),
        HOST: around.listenAt,
        WEB_ROOT: around.webRoot,
        IDENTITY_PRIVATE_KEY: secrets.identityKeys.privateKey,
        IDENTITY_PUBLIC_KEYS: secrets.identityKeys.publicKey,
        GATEWAY_AUTH_SECRETS: secrets.messages.gatewayAuth,
        GATEWAY_EVENTS_SECRETS: secrets.messages.gatewayEvents,
        GATEWAY_ADMIN_SECRETS: secrets.messages.gatewayAdmin,
        SESSION_SECRETS: secrets.session,
        LINK_SECRETS: secrets.link,
      };
  }
}

const EVERY_ADDRESS = ['0.0.0.0', '::'];
const LOOPBACK = ['127.0.0.1', '::1'];

/** Where a browser on this machine finds what listens at `host`. */
export function siteUrl(host: string, port: number | undefined): string {
  const isHere = [...EVERY_ADDRESS, ...LOOPBACK].includes(host);
  return `http://${isHere ? 'localhost' : isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** The community's configuration: the one that is named, or the demo's. */
export const communityFileOf = (root: string, inherited: NodeJS.ProcessEnv): string =>
  path.resolve(root, inherited['COMMUNITY_CONFIG'] || 'config/demo/community.json');

/** Entry point of the built process: with what it imports in few files, or as its sources were transpiled, which imports what is built of the libraries now. */
export const entryOf = (root: string, name: ProcessName, isBundled = true): string =>
  path.join(root, folderOf(name), isBundled ? 'dist/process/main.js' : 'dist/main.js');

/** The same server, as another role or user. */
export function urlForRole(ownerUrl: string, role: string, password: string): string {
  return Object.assign(new URL(ownerUrl), { username: role, password }).href;
}
