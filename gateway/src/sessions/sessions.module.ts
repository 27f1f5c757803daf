import { Module } from '@nestjs/common';
import { Readiness } from '@meetmark/platform';
import { GatewayConfig } from '../gateway.config.js';
import { SessionCache } from './session-cache.js';
import { SessionRecords } from './session-records.js';
import { GatewaySessionStore } from './session-store.js';
import { Sessions } from './sessions.js';

@Module({
  providers: [
    {
      provide: SessionCache,
      inject: [GatewayConfig, Readiness],
      useFactory: (config: GatewayConfig, readiness: Readiness) => {
        const cache = new SessionCache(config.redisUrl);
        cache.open();
        readiness.add('sessions', () => cache.check());
        return cache;
      },
    },
    SessionRecords,
    GatewaySessionStore,
    Sessions,
  ],
  exports: [GatewaySessionStore, Sessions],
})
export class SessionsModule {}
