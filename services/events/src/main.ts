import '@meetmark/platform/process/early-stop';

const { startService } = await import('@meetmark/platform');
const { EventsConfig } = await import('./events.config.js');
const { EventsServiceModule } = await import('./events-service.module.js');

await startService({ name: 'events', module: EventsServiceModule, config: EventsConfig });
