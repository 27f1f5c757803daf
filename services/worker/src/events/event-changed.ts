import { EventChanged, EventChangedMail, type PayloadOf, REGISTERED } from '@meetmark/contracts';
import { insertJobs, notifyRelay, OutboxReader } from '@meetmark/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { v5 as uuidOf } from 'uuid';
import { HandlesJob, type JobContext, type JobHandler } from '../queue/job-handler.js';

type Payload = PayloadOf<typeof EventChanged>;
/** A member, or a guest without an account. */
type Person = Pick<PayloadOf<typeof EventChangedMail>, 'userId' | 'registrationId'>;
type MailPayload = PayloadOf<typeof EventChangedMail>;

/** Writes one mail for each person who was registered when the event was edited. */
@HandlesJob(EventChanged)
export class EventChangedJob implements JobHandler<Payload> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: OutboxReader,
  ) {}

  async handle(change: Payload, { id, createdAt }: JobContext): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      // together with what it writes: run again, it would take its own mails over as those of an earlier edit
      if (!(await this.outbox.claim(manager, 'events', id))) return;
      const people = await this.peopleRegistered(manager, change.eventId, createdAt, change.since);
      // mails of an earlier edit that still wait (the mail server may be away) would say what is old by now
      const unsent = await this.outbox.skipOpen(
        manager,
        'events',
        EventChangedMail,
        'eventId',
        change.eventId,
      );
      const unsentTo = new Map(unsent.map((mail) => [mail.userId ?? mail.registrationId, mail]));
      const rows = people
        .map(({ late, ...person }) => {
          const key = person.userId ?? person.registrationId!;
          // the same id each time this job runs, so that each person gets one
          return { id: uuidOf(key, id), payload: mailTo(person, late, change, unsentTo.get(key)) };
        })
        .filter(({ payload }) => payload.changed.length > 0 || payload.notes!.length > 0);
      await this.write(manager, rows);
    });
  }

  /** `late`: registered after the first of the edits, and may have seen an intermediate state. */
  private async peopleRegistered(
    manager: EntityManager,
    eventId: string,
    before: Date,
    since: string | undefined,
  ): Promise<(Person & { late: boolean })[]> {
    const rows = await manager.query<{ id: string; userId: string | null; late: boolean }[]>(
      `SELECT id, user_id AS "userId", coalesce(registered_at > $3, false) AS late FROM events.event_registrations
       WHERE event_id = $1 AND status = '${REGISTERED}' AND registered_at <= $2
         AND (user_id IS NOT NULL OR guest_email IS NOT NULL) ORDER BY user_id, id`,
      [eventId, before, since ?? null],
    );
    return rows.map(({ id, userId, late }) => ({
      ...(userId === null ? { registrationId: id } : { userId }),
      late,
    }));
  }

  private async write(manager: EntityManager, rows: { id: string; payload: MailPayload }[]): Promise<void> {
    const source = 'FROM unnest($1::uuid[], $2::jsonb[]) AS mail (id, payload) ON CONFLICT (id) DO NOTHING';
    await manager.query(insertJobs('events', EventChangedMail, { id: 'id', payload: 'payload' }, source), [
      rows.map(({ id }) => id),
      rows.map(({ payload }) => JSON.stringify(payload)),
    ]);
    await manager.query(`SELECT ${notifyRelay('events')}`);
  }
}

/** `unsent`: of an earlier edit, whose state before it is the one that the recipient knows. */
function mailTo(
  person: Person,
  late: boolean,
  change: Payload,
  unsent: MailPayload | undefined,
): MailPayload {
  const { eventId, sequence, changed, edited = changed, before = {}, notes = [] } = change;
  const { details: _, ...shown } = before;
  return {
    eventId,
    ...person,
    sequence,
    changed: [...new Set([...(late ? edited : changed), ...(unsent?.changed ?? [])])],
    before: { ...(late ? {} : shown), ...unsent?.before },
    notes: [...(unsent?.notes ?? []), ...notes],
  };
}
