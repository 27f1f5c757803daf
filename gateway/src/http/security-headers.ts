import { validateHeaderValue } from 'node:http';
import { type Community, pictureOrigin, listImages } from '@meetmark/contracts';
import type { CommunityFollower } from '@meetmark/platform';
import type { FastifyInstance } from 'fastify';
import type { GatewayConfig } from '../gateway.config.js';

const YEAR = 365 * 24 * 3_600; // seconds

/**
 * Browser features that no page uses. Passkeys, the clipboard and sharing aren't listed, because pages use
 * them.
 */
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

export const permissionsPolicy = (camera: '()' | '(self)'): string =>
  [`camera=${camera}`, ...UNUSED.map((feature) => `${feature}=()`)].join(', ');

export type FixedHeaders = () => Record<string, string>;

/** Returns a function, because changed settings can allow images from other hosts. */
export async function securityHeaders(
  server: FastifyInstance,
  { publicUrl }: GatewayConfig,
  follower: CommunityFollower,
): Promise<FixedHeaders> {
  const secure = publicUrl.startsWith('https:');
  await follower.addTrial((candidate) =>
    validateHeaderValue('content-security-policy', pictureSources(candidate)),
  );
  let made: { version?: number; headers: Record<string, string> } = { headers: {} };
  const headers = () => {
    const { version, community } = follower;
    if (made.version !== version) made = { version, headers: headersFor(community, secure) };
    return made.headers;
  };
  server.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers());
    done();
  });
  return headers;
}

/** Returns the headers that OWASP recommends, but allows inline styles, which antd needs. */
const headersFor = (community: Community, secure: boolean): Record<string, string> => ({
  'content-security-policy': [
    "default-src 'self'",
    "script-src 'self'",
    "script-src-attr 'none'",
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: ${pictureSources(community)}`,
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(secure ? ['upgrade-insecure-requests'] : []),
  ].join(';'),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'strict-origin-when-cross-origin',
  ...(secure && { 'strict-transport-security': `max-age=${YEAR}` }),
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
  'permissions-policy': permissionsPolicy('()'),
});

const pictureSources = (community: Community) => {
  const origins = listImages(community).map(([, url]) => pictureOrigin(url));
  return ['blob:', ...new Set(origins.filter((origin) => origin !== undefined))].join(' ');
};
