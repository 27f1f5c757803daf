/** Tells these advisory locks from others in the database; any fixed number would do. */
const NAMESPACE = 0x65_76;

/**
 * SQL of the lock that registering and giving up share and that the deletion of the event takes alone. Everybody takes the
 * locks in one order, so that nobody waits in a circle: this one, the user, the registrations, the event's row. Ids come in
 * any letter case: as text of a uuid they are one.
 */
export const shareGate = (eventId: string) =>
  `pg_advisory_xact_lock_shared(${NAMESPACE}, hashtext(${eventId}::uuid::text))`;
export const closeGate = (eventId: string) =>
  `pg_advisory_xact_lock(${NAMESPACE}, hashtext(${eventId}::uuid::text))`;
