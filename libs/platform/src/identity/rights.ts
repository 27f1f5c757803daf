import { DomainError, type ErrorCode, type Identity, type ServiceName } from '@meetmark/contracts';
import type { DataSource, EntityManager } from 'typeorm';

type Right = 'admin' | 'organiser' | 'manager';

/**
 * @param data the message before validation, because rights are checked first
 * @throws DomainError if the caller lacks the right
 */
type Confirm = (identity: Identity, data: unknown) => Promise<void>;

const confirmations = new Map<string, Confirm>();

const buildKey = (service: string, right: Right) => `${service} ${right}`;

export function confirmRightBy(service: string, right: Right, confirm: Confirm): void {
  confirmations.set(buildKey(service, right), confirm);
}

/** @param schema database schema of the process; for a service, also the service's name */
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
 * Checks a right in the database, because tokens may be a minute old and caches may miss changes after a
 * failover. Transactions that write check the right again.
 * @throws DomainError FORBIDDEN, EVENT_NOT_FOUND
 * @throws Error if no database is registered for the right
 */
export async function confirmRight(
  service: ServiceName,
  identity: Identity,
  { access, data }: { access: Right; data: unknown },
): Promise<void> {
  const confirm = confirmations.get(buildKey(service, access));
  if (confirm === undefined)
    throw new Error(`the service ${service} has no database that confirms '${access}'`);
  await confirm(identity, data);
}

type CallingAdministrator = Pick<Identity, 'sub' | 'epoch'>;

/**
 * Requires that the caller is still an administrator. Locks the account until the commit.
 * @throws DomainError UNAUTHORIZED if the account was deleted or its sessions ended after the token was
 * signed
 * @throws DomainError FORBIDDEN
 */
export const requireAdministrator = (manager: EntityManager, { sub, epoch }: CallingAdministrator) =>
  requireNoRefusal(manager, 'auth.administrator_refusal($1, $2)', [sub, epoch]);

/** @throws DomainError UNAUTHORIZED, FORBIDDEN */
export const requireOrganiser = (manager: EntityManager, { sub, epoch }: CallingAdministrator) =>
  requireNoRefusal(manager, 'auth.organiser_refusal($1, $2)', [sub, epoch]);

/** @throws DomainError with the error code that the database function returns */
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
