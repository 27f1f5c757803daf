import { EventChanged, EventChangedMail, type PayloadOf } from '@meetmark/contracts';
import { OUTBOX_CHANNEL } from '@meetmark/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { v5 as uuidOf } from 'uuid';
import { HandlesJob, type JobContext, type JobHandler } from './job-handler.js';

type Payload = PayloadOf<typeof EventChanged>;
type MailPayload = PayloadOf<typeof EventChangedMail>;

/** Writes one mail for each person who was registered when the event was edited. */
@HandlesJob(EventChanged)
export class EventChangedJob implements JobHandler<Payload> {
  constructor(private readonly dataSource: DataSource) {}

  async handle(change: Payload, { id, createdAt }: JobContext): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      if (!(await this.claim(manager, id))) return;
      const people = await this.peopleRegistered(manager, change.eventId, createdAt, change.since);
      const untold = await this.takeOverUnsent(manager, change.eventId);
      const { eventId, sequence, changed, edited = changed } = change;
      const rows = people
        .map(({ userId, late }) => ({
          // the same each time this job runs, so that nobody gets two
          id: uuidOf(userId, id),
          payload: {
            eventId,
            userId,
            sequence,
            changed: [...new Set([...(late ? edited : changed), ...(untold.get(userId) ?? [])])],
          },
        }))
        .filter(({ payload }) => payload.changed.length > 0);
      await this.write(manager, rows);
    });
  }

  /**
   * Done together with what it writes: run once more, it would take its own mails over for those of an earlier edit. False
   * when it was done before, or when a newer edit has taken the change over.
   */
  private async claim(manager: EntityManager, id: string): Promise<boolean> {
    const [, claimed] = await manager.query<[unknown[], number]>(
      'UPDATE events.outbox SET done_at = now() WHERE id = $1 AND done_at IS NULL',
      [id],
    );
    return claimed === 1;
  }

  /** Late: registered after the first of the edits, and may have seen something that is not so any more. */
  private peopleRegistered(
    manager: EntityManager,
    eventId: string,
    before: Date,
    since: string | undefined,
  ): Promise<{ userId: string; late: boolean }[]> {
    return manager.query(
      `SELECT user_id AS "userId", coalesce(registered_at > $3, false) AS late FROM events.event_registrations
       WHERE event_id = $1 AND status = 'registered' AND registered_at <= $2 ORDER BY user_id`,
      [eventId, before, since ?? null],
    );
  }

  /** Mails of an earlier edit that are still waiting (the mail server may be away) would only say what is old by now. */
  private async takeOverUnsent(
    manager: EntityManager,
    eventId: string,
  ): Promise<Map<string, MailPayload['changed']>> {
    const [rows] = await manager.query<[{ payload: MailPayload }[], number]>(
      `UPDATE events.outbox SET done_at = now(), skipped = true, last_error = NULL
       WHERE job = '${EventChangedMail.name}' AND done_at IS NULL AND payload ->> 'eventId' = $1
       RETURNING payload`,
      [eventId],
    );
    return new Map(rows.map(({ payload }) => [payload.userId, payload.changed]));
  }

  private async write(manager: EntityManager, rows: { id: string; payload: MailPayload }[]): Promise<void> {
    await manager.query(
      `INSERT INTO events.outbox (id, job, payload)
       SELECT id, '${EventChangedMail.name}', payload FROM unnest($1::uuid[], $2::jsonb[]) AS mail (id, payload)
       ON CONFLICT (id) DO NOTHING`,
      [rows.map(({ id }) => id), rows.map(({ payload }) => JSON.stringify(payload))],
    );
    await manager.query('SELECT pg_notify($1, $2)', [OUTBOX_CHANNEL, 'events']);
  }
}
