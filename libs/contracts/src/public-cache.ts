/**
 * Redis counter behind the cached public answers about events. The events service raises it before and again after the
 * commit of whatever those answers show, and before the writer is answered. Who caches reads it first and keeps the answer
 * under the number read: what was loaded before the commit is then never shown after the writer was answered. Absent means 0.
 */
export const PUBLIC_EVENTS_VERSION = 'events:version';
