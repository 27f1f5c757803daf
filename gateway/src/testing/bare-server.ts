import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { GatewayConfig } from '../gateway.config.js';
import { createAdapter } from '../http/server.js';

/** Creates the gateway's HTTP server without checks and routes, which starts in milliseconds. */
export const bareServer = (config: Partial<GatewayConfig> = {}): FastifyAdapter =>
  createAdapter(
    { trustedProxies: 0, ...config } as GatewayConfig,
    (handle) => handle,
    () => ({}),
  );
