import { Register } from '@meetmark/contracts';
import type { RpcClient } from '@meetmark/platform';
import { until } from '@meetmark/testing';
import { insertEvent } from '@meetmark/testing/factories/events';
import type pg from 'pg';
import { median } from './results.js';

const PATIENCE = 120_000;

export class Bookings {
  constructor(
    private readonly rpc: RpcClient,
    private readonly owner: pg.Pool,
    private readonly members: string[],
  ) {}

  /** Returns the median milliseconds from a registration to its confirmation, by the database's clock. */
  async confirmed(): Promise<number> {
    const { id: eventId } = await insertEvent(this.owner);
    const times: number[] = [];
    for (const sub of this.members) {
      const identity = { sub, isAdmin: false, isOrganiser: false, epoch: 1 };
      await this.rpc.call(Register, { eventId }, { identity });
      times.push(await this.waited(eventId, sub));
    }
    return median(times);
  }

  private async waited(eventId: string, userId: string): Promise<number> {
    let took: number | undefined;
    await until('the confirmation', PATIENCE, async () => {
      const { rows } = await this.owner.query<{ took: number }>(
        `SELECT (extract(epoch FROM o.done_at - o.created_at) * 1000)::float8 AS took
         FROM events.outbox o JOIN events.event_registrations r ON r.id = (o.payload ->> 'registrationId')::uuid
         WHERE o.job = 'mail.registrationConfirmed' AND r.event_id = $1 AND r.user_id = $2 AND o.done_at IS NOT NULL`,
        [eventId, userId],
      );
      took = rows[0]?.took;
      return took !== undefined;
    });
    return took!;
  }
}
