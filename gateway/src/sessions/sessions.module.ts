import { Module } from '@nestjs/common';
import { Readiness } from '@meetmark/platform';
import { FlowCookies } from './flow-cookies.js';
import { KnownDevices } from './known-devices.js';
import { PendingSignIns } from './pending-sign-ins.js';
import { SessionCache } from './session-cache.js';
import { SessionRecords } from './session-records.js';
import { GatewaySessionStore } from './session-store.js';
import { Sessions } from './sessions.js';

@Module({
  providers: [
    SessionCache,
    SessionRecords,
    GatewaySessionStore,
    FlowCookies,
    KnownDevices,
    PendingSignIns,
    Sessions,
  ],
  exports: [GatewaySessionStore, FlowCookies, KnownDevices, PendingSignIns, Sessions],
})
export class SessionsModule {
  constructor(cache: SessionCache, readiness: Readiness) {
    readiness.add('sessions', () => cache.check());
  }
}
