import { SessionNetworks1795511729001 } from './1795511729001-session-networks.js';
import { SecurityEventKinds1795511967000 } from './1795511967000-security-event-kinds.js';
import { CountedSecurityEvents1795516228000 } from './1795516228000-counted-security-events.js';
import { CountedSecurityEventsOfWorker1795524072000 } from './1795524072000-counted-security-events-of-worker.js';
import { Maps1795822000000 } from './1795822000000-maps.js';

/** Runs after auth's: both tables refer to its users. */
export const migrations = {
  schema: 'gateway',
  role: 'meetmark_gateway',
  migrations: [
    SessionNetworks1795511729001,
    SecurityEventKinds1795511967000,
    CountedSecurityEvents1795516228000,
    CountedSecurityEventsOfWorker1795524072000,
    Maps1795822000000,
  ],
  code: { folder: 'gateway/src/database' },
};
