import {
  DomainError,
  type ErrorCode,
  type Identity,
  type ServiceName,
  UUID_PATTERN,
} from '@meetmark/contracts';
import type { DataSource, EntityManager } from 'typeorm';

/** By the schema that a process owns, which for a service is its name. */
const databases = new Map<string, DataSource>();

/** From now on the rights of those who send this service a message are looked up there. */
export function readRightsFrom(schema: string, database: DataSource): void {
  databases.set(schema, database);
}

interface Confirmation {
  access: 'admin' | 'organiser' | 'manager';
  /** Of the message. */
  data: unknown;
}

/**
 * A token tells what was so up to a minute ago, and a cache of the gateway what was so before a failover of Redis: the database tells what
 * is so. What changes something asks once more in its own transaction.
 * @throws DomainError FORBIDDEN, EVENT_NOT_FOUND
 */
export async function confirmRight(
  service: ServiceName,
  identity: Identity,
  { access, data }: Confirmation,
): Promise<void> {
  const database = databases.get(service);
  if (database === undefined) return;
  if (access === 'manager')
    return refuse(database, 'events.management_refusal($1, $2, $3)', [
      identity.sub,
      eventOf(data),
      identity.isAdmin,
    ]);
  const view = access === 'admin' ? 'auth.administrator' : 'auth.organiser';
  const found: unknown[] = await database.query(`SELECT FROM ${view} WHERE id = $1`, [identity.sub]);
  if (found.length === 0) throw new DomainError('FORBIDDEN');
}

/** The event that a message names, as it came: the request is validated after the right. */
function eventOf(data: unknown): string | null {
  const eventId = (data as { eventId?: unknown } | null)?.eventId;
  return typeof eventId === 'string' && UUID_PATTERN.test(eventId) ? eventId : null;
}

/** On whose behalf an administrator's command runs, as the token says. */
export type CallingAdministrator = Pick<Identity, 'sub' | 'epoch'>;

/** On whose behalf somebody who manages an event changes it, as the token says. */
export type CallingManager = Pick<Identity, 'sub' | 'epoch' | 'isAdmin'>;

/**
 * Asks again inside the transaction of an administrator's command. The caller's account stays locked, so that what is decided here still
 * holds at the commit.
 * @throws DomainError UNAUTHORIZED when the account is gone or its sessions were ended since the token was signed, FORBIDDEN
 */
export const requireAdministrator = (manager: EntityManager, { sub, epoch }: CallingAdministrator) =>
  refuse(manager, 'auth.administrator_refusal($1, $2)', [sub, epoch]);

/** As requireAdministrator, of a command for organisers. @throws DomainError UNAUTHORIZED, FORBIDDEN */
export const requireOrganiser = (manager: EntityManager, { sub, epoch }: CallingAdministrator) =>
  refuse(manager, 'auth.organiser_refusal($1, $2)', [sub, epoch]);

/** As requireAdministrator, of a command for those who manage the event. @throws DomainError UNAUTHORIZED, FORBIDDEN, EVENT_NOT_FOUND */
export const requireManager = (
  manager: EntityManager,
  { sub, epoch, isAdmin }: CallingManager,
  eventId: string,
) => refuse(manager, 'events.manager_refusal($1, $2, $3, $4)', [sub, epoch, eventId, isAdmin]);

async function refuse(
  database: Pick<EntityManager, 'query'>,
  refusal: string,
  parameters: unknown[],
): Promise<void> {
  const [row] = await database.query<{ refusal: ErrorCode | null }[]>(
    `SELECT ${refusal} AS refusal`,
    parameters,
  );
  if (row!.refusal !== null) throw new DomainError(row!.refusal);
}
