import { startService } from '@meetmark/platform';
import { AuthConfig } from './auth.config.js';
import { AuthModule } from './auth.module.js';

await startService({ name: 'auth', module: AuthModule, config: AuthConfig });
