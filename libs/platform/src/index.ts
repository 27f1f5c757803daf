export * from './call/call.js';
export * from './community/community.js';
export * from './config/fields.js';
export * from './config/load-config.js';
export { SafeForPeople, servesPeople } from './config/production.js';
export * from './config/service.config.js';
export * from './database/database-errors.js';
export * from './database/database-options.js';
export * from './database/database.module.js';
export * from './database/keyset-page.js';
export * from './database/migrate.js';
export * from './database/transaction.js';
export * from './identity/credentials.js';
export * from './identity/identity.strategy.js';
export * from './identity/keys.js';
export {
  confirmRightBy,
  requireAdministrator,
  requireNoRefusal,
  requireOrganiser,
} from './identity/rights.js';
export * from './identity/sealed-text.js';
export * from './log/logger.js';
export * from './operations/metrics.js';
export * from './operations/operations.server.js';
export * from './operations/readiness.js';
export * from './outbox/outbox.repository.js';
export * from './pictures/picture-store.js';
export * from './process/run-process.js';
export * from './process/start-service.js';
export * from './redis/clock.js';
export * from './redis/required-refusals.js';
export * from './resilience/bulkhead.js';
export * from './rpc/cipher.js';
export * from './rpc/client.js';
export * from './rpc/handles.js';
export * from './rpc/sender.js';
export * from './rpc/server.js';
export * from './rpc/validation.js';
