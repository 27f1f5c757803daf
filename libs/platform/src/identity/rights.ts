import { DomainError, type ErrorCode, type Identity, type ServiceName } from '@meetmark/contracts';
import type { DataSource, EntityManager } from 'typeorm';

/** What a message may need that a database alone confirms. */
type Right = 'admin' | 'organiser' | 'manager';

/** @param data of the message, as it came: the request is validated after the right. @throws DomainError when the caller has no such right */
type Confirm = (identity: Identity, data: unknown) => Promise<void>;

/** By service and right. */
const confirmations = new Map<string, Confirm>();

const keyOf = (service: string, right: Right) => `${service} ${right}`;

/** From now on `confirm` decides whether those who send the service a message have the right. */
export function confirmRightBy(service: string, right: Right, confirm: Confirm): void {
  confirmations.set(keyOf(service, right), confirm);
}

/** From now on administrators and organisers are looked up in this database. @param schema of the process, for a service its name */
export function readRightsFrom(schema: string, database: DataSource): void {
  const isIn =
    (view: string): Confirm =>
    async ({ sub }) => {
      const found: unknown[] = await database.query(`SELECT FROM ${view} WHERE id = $1`, [sub]);
      if (found.length === 0) throw new DomainError('FORBIDDEN');
    };
  confirmRightBy(schema, 'admin', isIn('auth.administrator'));
  confirmRightBy(schema, 'organiser', isIn('auth.organiser'));
}

/**
 * A token tells what was so up to a minute ago, and a cache of the gateway what was so before a failover of Redis: the database tells what
 * is so. What changes something asks once more in its own transaction.
 * @throws DomainError FORBIDDEN, EVENT_NOT_FOUND
 * @throws Error where no database is registered that could confirm the right
 */
export async function confirmRight(
  service: ServiceName,
  identity: Identity,
  { access, data }: { access: Right; data: unknown },
): Promise<void> {
  const confirm = confirmations.get(keyOf(service, access));
  if (confirm === undefined)
    throw new Error(`the service ${service} has no database that confirms '${access}'`);
  await confirm(identity, data);
}

/** On whose behalf an administrator's command runs, as the token says. */
export type CallingAdministrator = Pick<Identity, 'sub' | 'epoch'>;

/**
 * Asks again inside the transaction of an administrator's command. The caller's account stays locked, so that what is decided here still
 * holds at the commit.
 * @throws DomainError UNAUTHORIZED when the account is gone or its sessions were ended since the token was signed, FORBIDDEN
 */
export const requireAdministrator = (manager: EntityManager, { sub, epoch }: CallingAdministrator) =>
  requireNoRefusal(manager, 'auth.administrator_refusal($1, $2)', [sub, epoch]);

/** As requireAdministrator, of a command for organisers. @throws DomainError UNAUTHORIZED, FORBIDDEN */
export const requireOrganiser = (manager: EntityManager, { sub, epoch }: CallingAdministrator) =>
  requireNoRefusal(manager, 'auth.organiser_refusal($1, $2)', [sub, epoch]);

/** Asks a function of the database that says why not, or null. @throws DomainError what it says */
export async function requireNoRefusal(
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
