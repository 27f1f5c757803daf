import helmet from '@fastify/helmet';
import type { Community, Sponsor } from '@meetmark/contracts';
import type { FastifyInstance } from 'fastify';
import type { GatewayConfig } from '../gateway.config.js';

const YEAR = 365 * 24 * 3_600; // seconds

/** Scripts and connections from our own origin only. antd writes style elements, hence the one 'unsafe-inline'. */
export async function securityHeaders(
  server: FastifyInstance,
  { publicUrl }: GatewayConfig,
  { sponsors }: Community,
): Promise<void> {
  const secure = publicUrl.startsWith('https:');
  await server.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        scriptSrcAttr: ["'none'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...logoOrigins(sponsors)],
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
}

/** Logos may live elsewhere: their sites, and no others. */
const logoOrigins = (sponsors: Sponsor[]) => [
  ...new Set(
    sponsors
      .map(({ logoUrl }) => logoUrl)
      .filter((url) => URL.canParse(url))
      .map((url) => new URL(url).origin),
  ),
];
