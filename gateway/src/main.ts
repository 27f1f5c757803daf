import { runProcess } from '@meetmark/platform';
import { GatewayConfig } from './gateway.config.js';
import { openGateway } from './open-gateway.js';

/** Milliseconds for what is still being answered; below the grace period of the deployment. */
const STOP_WITHIN = 18_000;

await runProcess({ name: 'gateway', config: GatewayConfig, open: openGateway, stopWithin: STOP_WITHIN });
