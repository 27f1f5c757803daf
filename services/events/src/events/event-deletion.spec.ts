import { EventCancelledMail, type Identity, RecordAudit, RollUpActivity } from '@meetmark/contracts';
import { daysFromNow, insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import { outcomes } from '@meetmark/testing';
import { RegistrationsService } from '../registrations/registrations.service.js';
import { eventsForTests, persistently } from '../testing/open-events.js';
import { EventEditingService } from './event-editing.service.js';

const UNKNOWN = '0197f000-0000-7000-8000-000000000000';

describe('deleting an event', () => {
  const events = eventsForTests();
  let service: EventEditingService;
  let admin: Identity;
  beforeAll(() => {
    service = events.get(EventEditingService);
  });
  beforeEach(async () => {
    await events.owner.query('DELETE FROM events.outbox');
    admin = await events.administrator();
  });

  const rows = async (table: string, column: string, id: string) =>
    (await events.owner.query(`SELECT * FROM events.${table} WHERE ${column} = $1`, [id])).rows;

  it('removes its registrations, tells everybody who had a place, and is written to the audit log', async () => {
    const event = await insertEvent(events.owner, { location: 'Town hall' });
    const [one, two, gone] = (await events.members(3)) as [string, string, string];
    for (const userId of [one, two]) await insertRegistration(events.owner, { eventId: event.id, userId });
    await insertRegistration(events.owner, { eventId: event.id, userId: gone, status: 'cancelled' });
    await service.delete(admin, event.id);

    expect(await rows('events', 'id', event.id)).toEqual([]);
    expect(await rows('event_registrations', 'event_id', event.id)).toEqual([]);
    const mails = await events.outbox(EventCancelledMail);
    expect(mails.map((mail) => mail.userId).toSorted()).toEqual([one, two].toSorted());
    expect(mails[0]?.event).toEqual({
      id: event.id,
      slug: 'search-marketing-meetup',
      title: event.title,
      location: 'Town hall',
      format: 'in_person',
      startDate: event.startDate.toISOString(),
      endDate: event.endDate.toISOString(),
      isAllDay: false,
      timeZone: null,
      sequence: 1,
    });
    expect(await events.outbox(RollUpActivity)).toHaveLength(1);
    expect(await events.outbox(RecordAudit)).toMatchObject([
      { action: 'event.deleted', actorId: admin.sub, subjectId: event.id, subjectName: event.title },
    ]);
    expect(await rows('deleted_events', 'id', event.id)).toMatchObject([{ sequence: 1, title: event.title }]);
  });

  it('tells those who waited, too, and keeps no calendar entry for them', async () => {
    const event = await insertEvent(events.owner, { capacity: 1 });
    const [has, waits] = (await events.members(2)) as [string, string];
    await insertRegistration(events.owner, { eventId: event.id, userId: has });
    await insertRegistration(events.owner, { eventId: event.id, userId: waits, status: 'waitlisted' });
    await service.delete(admin, event.id);
    const mails = await events.outbox(EventCancelledMail);
    expect(mails.map(({ userId, waiting = false }) => [userId, waiting]).toSorted()).toEqual(
      [
        [has, false],
        [waits, true],
      ].toSorted(),
    );
    expect(await rows('deleted_events', 'id', event.id)).toMatchObject([{ registered_user_ids: [has] }]);
  });

  it('withdraws the entry of each member under a number above all that this member was sent', async () => {
    const event = await insertEvent(events.owner);
    const [one, two] = (await events.members(2)) as [string, string];
    for (const userId of [one, two]) await insertRegistration(events.owner, { eventId: event.id, userId });
    await events.owner.query('UPDATE events.event_registrations SET entry_revision = 2 WHERE user_id = $1', [
      two,
    ]);
    await service.delete(admin, event.id);
    const mails = await events.outbox(EventCancelledMail);
    expect(Object.fromEntries(mails.map((mail) => [mail.userId, mail.event.sequence]))).toEqual({
      [one]: 1,
      [two]: 3,
    });
  });

  it('tells nobody of an event that is over', async () => {
    const event = await insertEvent(events.owner, { startDate: daysFromNow(-2) });
    const [userId] = (await events.members(1)) as [string];
    await insertRegistration(events.owner, { eventId: event.id, userId });
    await service.delete(admin, event.id);
    expect(await events.outbox(EventCancelledMail)).toEqual([]);
  });

  it('knows no event that is not there, or not any more', async () => {
    await expect(service.delete(admin, UNKNOWN)).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
    const event = await insertEvent(events.owner);
    const twice = [service.delete(admin, event.id), service.delete(admin, event.id)];
    expect(await outcomes(twice)).toEqual({ ok: 1, EVENT_NOT_FOUND: 1 });
    expect(await events.outbox(RecordAudit)).toHaveLength(1);
  });

  it('tells exactly those whose registration was answered, while members come and go', async () => {
    const registrations = events.get(RegistrationsService);
    for (let round = 0; round < 5; round += 1) {
      await events.owner.query('DELETE FROM events.outbox');
      const { id: eventId } = await insertEvent(events.owner);
      const [comingBack, coming] = [await events.members(20), await events.members(20)];
      for (const userId of comingBack)
        await insertRegistration(events.owner, { eventId, userId, status: 'cancelled' });
      const placed: string[] = [];
      const register = async (userId: string) => {
        await persistently(() => registrations.register(userId, { eventId }));
        placed.push(userId);
      };
      const work = [...comingBack, ...coming].map(register);
      const outcome = await outcomes([...work, persistently(() => service.delete(admin, eventId))]);
      expect(Object.keys(outcome).filter((code) => code !== 'ok' && code !== 'EVENT_NOT_FOUND')).toEqual([]);
      const told = (await events.outbox(EventCancelledMail)).map((mail) => mail.userId);
      expect(told.toSorted()).toEqual(placed.toSorted());
      expect(await rows('event_registrations', 'event_id', eventId)).toEqual([]);
    }
  });
});
