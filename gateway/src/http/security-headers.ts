import { validateHeaderValue } from 'node:http';
import helmet from '@fastify/helmet';
import { type Community, pictureOrigin, picturesOf } from '@meetmark/contracts';
import type { CommunityFollower } from '@meetmark/platform';
import { Logger } from '@nestjs/common';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { GatewayConfig } from '../gateway.config.js';

const YEAR = 365 * 24 * 3_600; // seconds

/** What a page of ours never asks a browser for. Left out: passkeys, the clipboard and passing an address on, which pages use. */
const UNUSED = [
  ...[
    'accelerometer',
    'display-capture',
    'geolocation',
    'gyroscope',
    'hid',
    'idle-detection',
    'magnetometer',
  ],
  ...['microphone', 'midi', 'payment', 'serial', 'usb', 'xr-spatial-tracking'],
];

/** @param camera `()` closes it to every page, `(self)` opens it to this one */
export const permissionsPolicy = (camera: '()' | '(self)'): string =>
  [`camera=${camera}`, ...UNUSED.map((feature) => `${feature}=()`)].join(', ');

/** Empty before the first answer, from which they are taken. */
export type FixedHeaders = () => Record<string, string>;

/** Scripts and connections from our own origin only. antd writes style elements, hence the one 'unsafe-inline'. */
export async function securityHeaders(
  server: FastifyInstance,
  { publicUrl }: GatewayConfig,
  follower: CommunityFollower,
): Promise<FixedHeaders> {
  const secure = publicUrl.startsWith('https:');
  await server.register(helmet, {
    global: false, // it would build the same headers for every request; see below
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        scriptSrcAttr: ["'none'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', () => pictureSources(follower.community)],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(secure ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: secure ? { maxAge: YEAR, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    xFrameOptions: { action: 'deny' },
    crossOriginEmbedderPolicy: false,
  });
  await follower.addTrial((candidate) =>
    validateHeaderValue('content-security-policy', pictureSources(candidate)),
  );
  const logger = new Logger('SecurityHeaders');
  let headers: Record<string, string> = {};
  /** The version of the settings from which the headers were made. */
  let version: number | undefined;
  server.addHook('onRequest', (_request, reply, done) => {
    if (version !== follower.version) {
      version = follower.version;
      try {
        headers = fixedHeaders(reply);
      } catch (err) {
        logger.error({ err, msg: 'the headers stay as they were: none can be made of the settings' });
      }
    }
    reply.headers(headers);
    done();
  });
  return () => headers;
}

/**
 * The headers that helmet sets, and one that it does not know, taken from the first answer and set at once: Node writes them several times as fast as one by one.
 * It can go when @fastify/helmet computes its headers once.
 */
function fixedHeaders({ raw, helmet: apply }: FastifyReply): Record<string, string> {
  const before = new Set(raw.getHeaderNames());
  apply();
  const set = raw.getHeaderNames().filter((name) => !before.has(name));
  const headers = Object.fromEntries(set.map((name) => [name, String(raw.getHeader(name))]));
  set.forEach((name) => raw.removeHeader(name));
  return { ...headers, 'permissions-policy': permissionsPolicy('()') };
}

/** Pictures of the community may be served by other sites. */
const pictureSources = (community: Community) => {
  const origins = picturesOf(community).map(([, url]) => pictureOrigin(url));
  return ['blob:', ...new Set(origins.filter((origin) => origin !== undefined))].join(' ');
};
