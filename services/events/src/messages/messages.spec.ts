import {
  type Community,
  type EventMessagePage,
  type Identity,
  type MessageFields,
  MessageTestMail,
  RecordAudit,
  SendMessage,
} from '@meetmark/contracts';
import { codes, outcomes } from '@meetmark/testing';
import { readPages } from '@meetmark/testing/read-pages';
import { insertEvent } from '@meetmark/testing/factories/events';
import { updateRow } from '@meetmark/testing/factories/users';
import { createCall, eventsForTests, inject, UNKNOWN } from '../testing/open-events.js';
import { MessagesService } from './messages.service.js';

const HOUR = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();
const TEXT = { subject: 'A new room', body: 'We meet **upstairs**.' };

describe('messages to the guests of an event', () => {
  const events = eventsForTests();
  const service = inject(events, MessagesService);
  let admin: Identity;
  let eventId: string;
  let place: string;
  let made = 0;

  beforeEach(async () => {
    await events.empty();
    admin = await events.administrator();
    eventId = (await insertEvent(events.owner, { title: 'Tea' })).id;
    [place] = (await events.register(eventId, await events.members(1))) as [string];
  });

  const id = () => `0197f000-0000-7000-8000-${String((made += 1)).padStart(12, '1')}`;
  const create = (fields: Partial<MessageFields> = {}, of = eventId): Promise<EventMessagePage> =>
    service.create({ ...TEXT, segment: 'registered', ...fields, eventId: of, id: id() }, createCall(admin));
  const change = (messageId: string, fields: Partial<MessageFields> = {}) =>
    service.change({ ...TEXT, segment: 'registered', ...fields, eventId, messageId }, createCall(admin));
  const get = (messageId: string) => service.get({ eventId, messageId }, createCall(admin));
  const cancel = (messageId: string) => service.cancel({ eventId, messageId }, createCall(admin));
  const start = (messageId: string) =>
    events.owner.query(`UPDATE events.messages SET state = 'sending', started_at = now() WHERE id = $1`, [
      messageId,
    ]);
  const wrong = (message: Promise<unknown>) =>
    message.then(
      () => null,
      ({ code, details }: { code: string; details?: { fields: Record<string, string[]> } }) =>
        details?.fields ?? code,
    );

  it('sends a message immediately, with a job and an audit entry', async () => {
    const message = await create({});
    expect(message).toMatchObject({
      ...{ ...TEXT, segment: 'registered', replyTo: 'author', state: 'sending' },
      ...{ recipients: 0, startedAt: null, author: { firstName: expect.any(String) } },
    });
    expect(await events.outbox(SendMessage)).toEqual([{ messageId: message.id, sendAt: message.sendAt }]);
    expect(await events.outbox(RecordAudit)).toMatchObject([
      { action: 'message.created', actorId: admin.sub, subjectId: eventId, subjectName: 'Tea' },
    ]);
    expect(await get(message.id)).toEqual(message);
    const { body: _, registrationIds: __, ...listed } = message;
    const { items, total } = await service.list({ eventId }, createCall(admin));
    expect([items, total]).toEqual([[listed], 1]);
  });

  it('schedules a message, reschedules it with a new job, and cancels it', async () => {
    const [first, second] = [inHours(1), inHours(2)];
    const { id: messageId, state } = await create({ sendAt: first });
    expect(state).toBe('scheduled');
    const changes = { sendAt: second, subject: 'Another room' };
    expect(await change(messageId, changes)).toMatchObject(changes);
    const jobs = await events.rows(
      `SELECT payload ->> 'sendAt' AS said, available_at AS due FROM events.outbox WHERE job = $1 ORDER BY available_at`,
      SendMessage.name,
    );
    expect(jobs).toEqual([first, second].map((said) => ({ said, due: new Date(said) })));
    for (let times = 0; times < 2; times += 1) await cancel(messageId);
    expect(await get(messageId)).toMatchObject({ state: 'cancelled' });
    expect(await wrong(change(messageId))).toBe('MESSAGE_SENT');
  });

  it('keeps a draft without a job, and removes it', async () => {
    const { id: messageId, state, sendAt } = await create({ draft: true });
    expect([state, sendAt, await events.outbox(SendMessage)]).toEqual(['draft', null, []]);
    await cancel(messageId);
    expect(await wrong(get(messageId))).toBe('MESSAGE_NOT_FOUND');
    const another = await create({ draft: true });
    expect(await change(another.id)).toMatchObject({ state: 'sending', sendAt: expect.any(String) });
  });

  it('rejects changing or cancelling a message that is being sent', async () => {
    const { id: messageId } = await create({ sendAt: inHours(1) });
    await start(messageId);
    expect(await wrong(change(messageId))).toBe('MESSAGE_SENT');
    expect(await wrong(cancel(messageId))).toBe('MESSAGE_SENT');
    const direct = updateRow(events.owner, 'events.messages', messageId, { subject: 'x' });
    await expect(direct).rejects.toMatchObject({ constraint: 'messages_forward_check' });
  });

  it('requires at least one recipient unless the message is scheduled', async () => {
    expect(await wrong(create({ segment: 'waiting' }))).toBe('MESSAGE_WITHOUT_RECIPIENTS');
    expect(await create({ segment: 'waiting', sendAt: inHours(1) })).toMatchObject({ state: 'scheduled' });
    await updateRow(events.owner, 'events.event_registrations', place, { status: 'cancelled' });
    expect(await wrong(create())).toBe('MESSAGE_WITHOUT_RECIPIENTS');
    const nobody = { registered: 0, waiting: 0, came: 0, did_not_come: 0 };
    expect(await service.audience({ eventId }, createCall(admin))).toEqual(nobody);
  });

  it('rejects selected guests of another event', async () => {
    const chosen = { segment: 'chosen', registrationIds: [place] } as const;
    expect(await create({ ...chosen, registrationIds: [place] })).toMatchObject(chosen);
    const field = { registrationIds: [expect.any(String)] };
    expect(await wrong(create({ segment: 'chosen' }))).toEqual(field);
    expect(await wrong(create({ registrationIds: [place] }))).toEqual(field);
    expect(await wrong(create({ ...chosen, registrationIds: [UNKNOWN] }))).toEqual(field);
    const other = await insertEvent(events.owner);
    expect(await wrong(create({ ...chosen, registrationIds: [place] }, other.id))).toEqual(field);
  });

  it('rejects a past send time, and any send time for a draft', async () => {
    const field = { sendAt: [expect.any(String)] };
    expect(await wrong(create({ sendAt: inHours(-1) }))).toEqual(field);
    expect(await wrong(create({ sendAt: inHours(1), draft: true }))).toEqual(field);
  });

  it('limits an event to three messages per 24 hours, even when created simultaneously', async () => {
    const results = await outcomes(Array.from({ length: 10 }, () => create()));
    expect(results).toEqual({ ok: 3, MESSAGE_LIMIT: 7 });
    const later = await codes([create({ sendAt: inHours(23) }), create({ sendAt: inHours(25) })]);
    expect(later).toEqual(['MESSAGE_LIMIT', 'ok']);
    expect(await create({ draft: true })).toMatchObject({ state: 'draft' });
  });

  it('limits scheduled messages in any 24-hour window, without counting cancelled ones', async () => {
    const hours = [1, 20, 30];
    const [, second] = await Promise.all(hours.map((hour) => create({ sendAt: inHours(hour) })));
    await create({ sendAt: inHours(40) });
    expect(await wrong(create({ sendAt: inHours(35) }))).toBe('MESSAGE_LIMIT');
    expect(await create({ sendAt: inHours(60) })).toMatchObject({ state: 'scheduled' });
    await cancel(second!.id);
    const { id: moved } = await create({ sendAt: inHours(35) });
    expect(await change(moved, { sendAt: inHours(36) })).toMatchObject({ state: 'scheduled' });
  });

  it('rejects a request with the wrong event or an unknown event', async () => {
    const { id: messageId } = await create({ draft: true });
    const other = (await insertEvent(events.owner)).id;
    const lost = { eventId: other, messageId };
    const asked = [
      service.get(lost, createCall(admin)),
      service.cancel(lost, createCall(admin)),
      service.recipients(lost, createCall(admin)),
      service.change({ ...TEXT, segment: 'registered', ...lost }, createCall(admin)),
    ];
    expect(await outcomes(asked)).toEqual({ MESSAGE_NOT_FOUND: 4 });
    expect(await wrong(create({}, UNKNOWN))).toBe('EVENT_NOT_FOUND');
    expect(await wrong(service.list({ eventId: UNKNOWN }, createCall(admin)))).toBe('EVENT_NOT_FOUND');
  });

  it('creates one message for a repeated request', async () => {
    const request = { ...TEXT, segment: 'registered', eventId, id: id() } as const;
    const message = await service.create(request, createCall(admin));
    expect(await service.create(request, createCall(admin))).toEqual(message);
    expect(await events.outbox(SendMessage)).toHaveLength(1);
  });

  it('rejects a former manager of the event who creates or lists messages', async () => {
    await updateRow(events.owner, 'auth.users', admin.sub, { isAdmin: false });
    expect(await wrong(create())).toBe('FORBIDDEN');
    expect(await wrong(service.list({ eventId }, createCall(admin)))).toBe('FORBIDDEN');
  });

  it('previews a message as an email and sends a test only to the caller', async () => {
    const shown = await service.preview({ ...TEXT, eventId }, createCall(admin));
    expect(shown.subject).toBe(TEXT.subject);
    expect(shown.html).toContain('We meet <b>upstairs</b>.');
    expect(shown.html).toMatch(/https:\/\/meetmark\.example\/e\/tea(-\d+)?"/);
    expect(shown.text).toContain('We meet upstairs.');
    await service.test({ ...TEXT, eventId }, createCall(admin));
    expect(await events.outbox(MessageTestMail)).toEqual([
      { ...TEXT, eventId, userId: admin.sub, replyTo: 'author' },
    ]);
  });

  it("previews a message in the community's language", async () => {
    const { community } = service as unknown as { community: Community };
    const { locale } = community;
    const hybrid = await insertEvent(events.owner, { format: 'hybrid', location: 'Unit 1' });
    community.locale = 'de-DE';
    const preview = service.preview({ ...TEXT, eventId: hybrid.id }, createCall(admin));
    const { html, text } = await preview.finally(() => (community.locale = locale));
    expect(html).toContain('<html lang="de-DE">');
    expect(text).toContain('Antworten Sie auf diese E-Mail');
    expect(text).toMatch(/Uhr .+ · Unit 1 \(auch online\)\n/);
  });

  it('counts guests with an email address, and no-shows once someone has checked in', async () => {
    const [came] = (await events.register(eventId, await events.members(1))) as [string];
    await events.checkIn(came);
    for (const email of ['grace@example.org', null])
      await events.owner.query(
        `INSERT INTO events.event_registrations (id, event_id, guest_name, guest_email, show_me)
         VALUES (gen_random_uuid(), $1, 'Grace Guest', $2, 'no')`,
        [eventId, email],
      );
    const audience = () => service.audience({ eventId }, createCall(admin));
    expect(await audience()).toEqual({ registered: 3, waiting: 0, came: 1, did_not_come: 2 });
    await events.owner.query(
      'UPDATE events.event_registrations SET checked_in_at = NULL, checked_in_by = NULL',
    );
    expect(await audience()).toEqual({ registered: 3, waiting: 0, came: 0, did_not_come: 0 });
  });

  it('unsubscribes a guest from messages and subscribes them again', async () => {
    const ask = () => service.findGuest({ registrationId: place });
    expect(await ask()).toEqual({ subscribed: true });
    for (const subscribed of [false, false, true, true]) {
      await service.setGuest({ registrationId: place, subscribed });
      expect(await ask()).toEqual({ subscribed });
    }
    await service.setGuest({ registrationId: UNKNOWN, subscribed: false });
    expect(await service.findGuest({ registrationId: UNKNOWN })).toBeNull();
  });

  it('lists recipients by name, page by page, and filters them by state', async () => {
    const { id: messageId } = await create();
    const people = ['Zoe', 'Éric', 'ana'].map((firstName) => events.person({ firstName }));
    const userIds = (await Promise.all(people)).map(({ sub }) => sub);
    const registrations = [place, ...(await events.register(eventId, userIds))];
    await events.owner.query(
      'INSERT INTO events.message_recipients (message_id, registration_id) SELECT $1, unnest($2::uuid[])',
      [messageId, registrations],
    );
    await events.owner.query(
      `UPDATE events.message_recipients SET state = 'refused', at = now() WHERE registration_id = $1`,
      [registrations[2]],
    );
    const all = await service.recipients({ eventId, messageId }, createCall(admin));
    expect(all.total).toBe(4);
    expect(all.items.map(({ name }) => name.split(' ')[0])).toEqual(['Ada', 'ana', 'Éric', 'Zoe']);
    const page = (cursor?: string) =>
      service.recipients({ eventId, messageId, limit: 1, cursor }, createCall(admin));
    expect(await readPages(page)).toEqual(all.items);
    const refused = await service.recipients({ eventId, messageId, state: 'refused' }, createCall(admin));
    const recipient = { registrationId: registrations[2], at: expect.any(String) };
    expect(refused).toMatchObject({ total: 1, items: [recipient] });
  });
});
