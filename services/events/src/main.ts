import { startService } from '@meetmark/platform';
import { EventsConfig } from './events.config.js';
import { EventsServiceModule } from './events-service.module.js';

await startService({ name: 'events', module: EventsServiceModule, config: EventsConfig });
