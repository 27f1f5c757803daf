import '@meetmark/platform/process/early-stop';

const { startService } = await import('@meetmark/platform');
const { AuthConfig } = await import('./auth.config.js');
const { AuthModule } = await import('./auth.module.js');

await startService({ name: 'auth', module: AuthModule, config: AuthConfig });
