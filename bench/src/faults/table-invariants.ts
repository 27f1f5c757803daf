import type pg from 'pg';

/** A statement that finds what breaks the invariant: no row, no break. */
interface TableInvariant {
  id: 'I1' | 'I2';
  broken: string;
  sql: string;
}

export const TABLE_INVARIANTS: TableInvariant[] = [
  {
    id: 'I1',
    broken: 'members with two places at one event',
    sql: 'SELECT 1 FROM events.event_registrations GROUP BY user_id, event_id HAVING count(*) > 1',
  },
  {
    id: 'I2',
    broken: 'events with more members than seats',
    sql: `SELECT 1 FROM events.events JOIN events.event_registrations r ON r.event_id = events.id
          WHERE r.status = 'registered' AND capacity IS NOT NULL GROUP BY events.id HAVING count(*) > capacity`,
  },
];

/** What is broken in the tables now, in words. */
export async function brokenTables(owner: pg.Pool): Promise<string[]> {
  const found: string[] = [];
  for (const { id, broken, sql } of TABLE_INVARIANTS) {
    const { rowCount } = await owner.query(sql);
    if (rowCount) found.push(`${id}: ${rowCount} ${broken}`);
  }
  return found;
}

/** Milliseconds. */
const EVERY = 100;

/** Looks at the tables all the time: what is right at the end may have been wrong in between. */
export class TableSampler {
  readonly broken = new Set<string>();
  samples = 0;
  private looking: Promise<void> | undefined;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly rig: { owner: pg.Pool }) {
    this.timer = setInterval(() => (this.looking ??= this.look()), EVERY);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.looking;
  }

  private async look(): Promise<void> {
    try {
      for (const each of await brokenTables(this.rig.owner)) this.broken.add(each);
      this.samples += 1;
    } catch {
      // PostgreSQL may be away: that is what some faults are about
    } finally {
      this.looking = undefined;
    }
  }
}
