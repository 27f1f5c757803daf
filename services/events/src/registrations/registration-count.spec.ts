import {
  daysFromNow,
  insertEvent,
  insertRegistration,
  type EventRow,
} from '@meetmark/testing/factories/events';
import { outcomes } from '@meetmark/testing';
import pg from 'pg';
import { EventEditingService } from '../events/event-editing.service.js';
import { eventsForTests, persistently } from '../testing/open-events.js';
import { RegistrationsService } from './registrations.service.js';

describe('the number registered', () => {
  const events = eventsForTests();

  const countOf = async (eventId: string) =>
    (
      await events.owner.query('SELECT registration_count AS count FROM events.events WHERE id = $1', [
        eventId,
      ])
    ).rows[0].count;
  /** Events whose count is not the number of their registrations. */
  const wrongCounts = async () => {
    const { rows } = await events.owner.query(
      `SELECT id FROM events.events WHERE registration_count <> (
         SELECT count(*) FROM events.event_registrations WHERE event_id = events.id AND status = 'registered')`,
    );
    return rows;
  };

  it('follows every kind of change, of one row or many', async () => {
    const event = await insertEvent(events.owner);
    const other = await insertEvent(events.owner);
    for (const userId of await events.members(4))
      await insertRegistration(events.owner, { eventId: event.id, userId });
    const [absent] = (await events.members(1)) as [string];
    await insertRegistration(events.owner, { eventId: event.id, userId: absent, status: 'cancelled' });
    expect(await countOf(event.id)).toBe(4);
    await events.owner.query(
      "UPDATE events.event_registrations SET status = 'registered' WHERE user_id = $1",
      [absent],
    );
    expect(await countOf(event.id)).toBe(5);
    await events.owner.query(
      "UPDATE events.event_registrations SET status = 'cancelled' WHERE event_id = $1",
      [event.id],
    );
    expect(await countOf(event.id)).toBe(0);
    await events.owner.query(
      "UPDATE events.event_registrations SET status = 'registered', event_id = $2 WHERE event_id = $1",
      [event.id, other.id],
    );
    expect([await countOf(event.id), await countOf(other.id)]).toEqual([0, 5]);
    await events.owner.query('DELETE FROM events.event_registrations WHERE event_id = $1', [other.id]);
    expect(await countOf(other.id)).toBe(0);
  });

  it('follows the deletion of a member, whose registrations go with them', async () => {
    const [leaving, staying] = (await events.members(2)) as [string, string];
    const there = [await insertEvent(events.owner), await insertEvent(events.owner)];
    for (const { id: eventId } of there)
      for (const userId of [leaving, staying]) await insertRegistration(events.owner, { eventId, userId });
    await events.owner.query('DELETE FROM auth.users WHERE id = $1', [leaving]);
    expect(await Promise.all(there.map(({ id }) => countOf(id)))).toEqual([1, 1]);
    const { rows } = await events.owner.query('SELECT FROM events.event_registrations WHERE user_id = $1', [
      leaving,
    ]);
    expect(rows).toEqual([]);
  });

  it('cannot be written by the service itself', async () => {
    const event = await insertEvent(events.owner);
    const service = new pg.Client(events.config.databaseUrl);
    await service.connect();
    const written = service.query('UPDATE events.events SET registration_count = 7 WHERE id = $1', [
      event.id,
    ]);
    await expect(written).rejects.toMatchObject({ code: '42501' });
    await service.end();
  });

  it('is right after a storm of registering, giving up, deleting members and deleting events', async () => {
    const MEMBERS = 40;
    const STEPS = 12;
    const service = events.get(RegistrationsService);
    const admin = await events.administrator();
    const there: EventRow[] = [];
    for (let made = 0; made < 4; made += 1)
      there.push(
        await insertEvent(events.owner, {
          capacity: made === 0 ? null : 10 * made,
          startDate: daysFromNow(2),
        }),
      );
    const members = await events.members(MEMBERS);

    const steps = members.map(async (userId, member) => {
      const came: Record<string, number>[] = [];
      for (let step = 0; step < STEPS; step += 1) {
        const eventId = there[(member + step) % there.length]!.id;
        const giveUp = (member * 7 + step * 3) % 5 < 2;
        came.push(
          await outcomes([
            persistently(async () => {
              if (giveUp) await service.unregister(userId, eventId);
              else await service.register(userId, { eventId });
            }),
          ]),
        );
        // every fifth member leaves in the middle, all at about the same time
        if (step === STEPS / 2 && member % 5 === 0)
          await events.owner.query('DELETE FROM auth.users WHERE id = $1', [userId]);
        if (step === STEPS / 2 && member === 1)
          await persistently(() => events.get(EventEditingService).delete(admin, there[3]!.id));
      }
      return came;
    });
    const seen = new Set((await Promise.all(steps)).flat().flatMap((outcome) => Object.keys(outcome)));

    expect(
      [...seen].filter((code) => !['ok', 'EVENT_FULL', 'EVENT_NOT_FOUND', 'UNAUTHORIZED'].includes(code)),
    ).toEqual([]);
    expect(await wrongCounts()).toEqual([]);
    const { rows } = await events.owner.query(
      'SELECT user_id, event_id FROM events.event_registrations GROUP BY 1, 2 HAVING count(*) > 1',
    );
    expect(rows).toEqual([]);
  });

  it('lets nobody wait in a circle when members and their events are deleted at the same moment', async () => {
    const admin = await events.administrator();
    for (let round = 0; round < 5; round += 1) {
      const there: EventRow[] = [];
      for (let made = 0; made < 6; made += 1) there.push(await insertEvent(events.owner));
      const members = await events.members(8);
      for (const { id: eventId } of there)
        for (const userId of members) await insertRegistration(events.owner, { eventId, userId });
      const deletion = events.get(EventEditingService);
      const outcome = await outcomes([
        ...members.map((userId) => events.owner.query('DELETE FROM auth.users WHERE id = $1', [userId])),
        ...there.map(({ id }) => persistently(() => deletion.delete(admin, id))),
      ]);
      expect(outcome).toEqual({ ok: members.length + there.length });
    }
    expect(await wrongCounts()).toEqual([]);
  });
});
