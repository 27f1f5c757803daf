import '@meetmark/platform/process/early-stop';

const { startService } = await import('@meetmark/platform');
const { AdminConfig } = await import('./admin.config.js');
const { AdminModule } = await import('./admin.module.js');

await startService({ name: 'admin', module: AdminModule, config: AdminConfig });
