import '@meetmark/platform/process/early-stop';

const { runProcess } = await import('@meetmark/platform');
const { GatewayConfig } = await import('./gateway.config.js');
const { openGateway } = await import('./open-gateway.js');

/** Milliseconds. Must be shorter than the deployment's grace period. */
const STOP_WITHIN = 18_000;

await runProcess({ name: 'gateway', config: GatewayConfig, open: openGateway, stopWithin: STOP_WITHIN });
