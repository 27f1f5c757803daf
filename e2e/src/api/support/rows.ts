import { query } from '../../support/database.js';
import { sharedStack } from '../../support/shared-stack.js';

const TABLES = ['auth.users', 'events.events', 'events.event_registrations'];
/** The worker writes into them as well, by itself and at any time (reminders, mails of a changed event); that carries no request. */
const OUTBOXES = ['auth.outbox', 'events.outbox'].map((table) => `${table} WHERE request_id IS NOT NULL`);

/** One row from the running system's database, as its owner sees it. */
export async function row<Row extends object>(sql: string, values: unknown[] = []): Promise<Row | undefined> {
  const [found] = await query<Row>(sharedStack().databaseUrl, sql, values);
  return found;
}

/** How much there is of everything that a refused request must not make. */
export async function population(): Promise<Record<string, number>> {
  const counts = [...TABLES, ...OUTBOXES]
    .map((table) => `(SELECT count(*)::int FROM ${table}) AS "${table}"`)
    .join(', ');
  return (await row<Record<string, number>>(`SELECT ${counts}`))!;
}
