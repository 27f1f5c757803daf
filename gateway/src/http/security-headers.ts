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
    global: false, // it would put the same words together for every request; see below
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
  let headers: [string, string][] | undefined;
  server.addHook('onRequest', (_request, { raw, helmet: apply }, done) => {
    if (headers === undefined) {
      const before = new Set(raw.getHeaderNames());
      apply();
      headers = Object.entries(raw.getHeaders() as Record<string, string>).filter(
        ([name]) => !before.has(name),
      );
    } else for (const [name, value] of headers) raw.setHeader(name, value);
    done();
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
