import { startService } from '@meetmark/platform';
import { AdminConfig } from './admin.config.js';
import { AdminModule } from './admin.module.js';

await startService({ name: 'admin', module: AdminModule, config: AdminConfig });
