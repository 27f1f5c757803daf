import {
  type EventMessagePage,
  type Identity,
  type MessageFields,
  MessageTestMail,
  RecordAudit,
  SendMessage,
} from '@meetmark/contracts';
import { loadCommunity } from '@meetmark/platform';
import { codes, outcomes, until } from '@meetmark/testing';
import { insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import { insertSettings } from '@meetmark/testing/factories/settings';
import { updateRow } from '@meetmark/testing/factories/users';
import { eventsForTests } from '../testing/open-events.js';
import { MessagesService } from './messages.service.js';

const UNKNOWN = '0197f000-0000-7000-8000-000000000000';
const HOUR = 3_600_000;
/** Milliseconds within which a change of the settings holds everywhere. */
const PROMISED = 5_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();
const TEXT = { subject: 'A new room', body: 'We meet **upstairs**.' };

describe('messages to the people of an event', () => {
  const events = eventsForTests();
  let service: MessagesService;
  let admin: Identity;
  let eventId: string;
  let place: string;
  let made = 0;

  beforeEach(async () => {
    await events.empty();
    service = events.get(MessagesService);
    admin = await events.administrator();
    eventId = (await insertEvent(events.owner, { title: 'Tea' })).id;
    const [userId] = await events.members(1);
    place = (await insertRegistration(events.owner, { eventId, userId: userId! })).id;
  });

  const id = () => `0197f000-0000-7000-8000-${String((made += 1)).padStart(12, '1')}`;
  const create = (fields: Partial<MessageFields> = {}, of = eventId): Promise<EventMessagePage> =>
    service.create(admin, { ...TEXT, segment: 'registered', ...fields, eventId: of, id: id() });
  const change = (messageId: string, fields: Partial<MessageFields> = {}) =>
    service.change(admin, { ...TEXT, segment: 'registered', ...fields, eventId, messageId });
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

  it('are sent at once, with a job and a line in the audit log', async () => {
    const message = await create({});
    expect(message).toMatchObject({ ...TEXT, segment: 'registered', replyTo: 'author', state: 'sending' });
    expect(message).toMatchObject({
      recipients: 0,
      startedAt: null,
      author: { firstName: expect.any(String) },
    });
    expect(await events.outbox(SendMessage)).toEqual([{ messageId: message.id, sendAt: message.sendAt }]);
    expect(await events.outbox(RecordAudit)).toMatchObject([
      { action: 'message.created', actorId: admin.sub, subjectId: eventId, subjectName: 'Tea' },
    ]);
    expect(await service.get(admin, { eventId, messageId: message.id })).toEqual(message);
    const { body: _, registrationIds: __, ...listed } = message;
    expect(await service.list(admin, { eventId })).toEqual({ items: [listed], total: 1, nextCursor: null });
  });

  it('are sent later, changed until then and cancelled, each time with the job of their time', async () => {
    const [first, second] = [inHours(1), inHours(2)];
    const { id: messageId, state } = await create({ sendAt: first });
    expect(state).toBe('scheduled');
    expect(await change(messageId, { sendAt: second, subject: 'Another room' })).toMatchObject({
      subject: 'Another room',
      sendAt: second,
    });
    const { rows } = await events.owner.query(
      `SELECT payload ->> 'sendAt' AS said, available_at AS due FROM events.outbox WHERE job = $1 ORDER BY available_at`,
      [SendMessage.name],
    );
    expect(rows).toEqual([first, second].map((said) => ({ said, due: new Date(said) })));
    await service.cancel(admin, { eventId, messageId });
    await service.cancel(admin, { eventId, messageId });
    expect(await service.get(admin, { eventId, messageId })).toMatchObject({ state: 'cancelled' });
    expect(await wrong(change(messageId))).toBe('MESSAGE_SENT');
  });

  it('are kept as drafts, without a job, and removed', async () => {
    const { id: messageId, state, sendAt } = await create({ draft: true });
    expect([state, sendAt, await events.outbox(SendMessage)]).toEqual(['draft', null, []]);
    await service.cancel(admin, { eventId, messageId });
    expect(await wrong(service.get(admin, { eventId, messageId }))).toBe('MESSAGE_NOT_FOUND');
    const another = await create({ draft: true });
    expect(await change(another.id)).toMatchObject({ state: 'sending', sendAt: expect.any(String) });
  });

  it('do not change while they are sent', async () => {
    const { id: messageId } = await create({ sendAt: inHours(1) });
    await start(messageId);
    expect(await wrong(change(messageId))).toBe('MESSAGE_SENT');
    expect(await wrong(service.cancel(admin, { eventId, messageId }))).toBe('MESSAGE_SENT');
    const direct = updateRow(events.owner, 'events.messages', messageId, { subject: 'x' });
    await expect(direct).rejects.toMatchObject({ constraint: 'messages_forward_check' });
  });

  it('need somebody who gets them, unless they are sent later', async () => {
    expect(await wrong(create({ segment: 'waiting' }))).toBe('MESSAGE_WITHOUT_RECIPIENTS');
    expect(await create({ segment: 'waiting', sendAt: inHours(1) })).toMatchObject({ state: 'scheduled' });
    await updateRow(events.owner, 'events.event_registrations', place, { status: 'cancelled' });
    expect(await wrong(create())).toBe('MESSAGE_WITHOUT_RECIPIENTS');
    expect(await service.audience(admin, { eventId })).toEqual({
      ...{ registered: 0, waiting: 0 },
      ...{ came: 0, did_not_come: 0 },
    });
  });

  it('go to people who were chosen at this event and no other', async () => {
    const chosen = { segment: 'chosen', registrationIds: [place] } as const;
    expect(await create({ ...chosen, registrationIds: [place] })).toMatchObject(chosen);
    const field = { registrationIds: [expect.any(String)] };
    expect(await wrong(create({ segment: 'chosen' }))).toEqual(field);
    expect(await wrong(create({ registrationIds: [place] }))).toEqual(field);
    expect(await wrong(create({ ...chosen, registrationIds: [UNKNOWN] }))).toEqual(field);
    const other = await insertEvent(events.owner);
    expect(await wrong(create({ ...chosen, registrationIds: [place] }, other.id))).toEqual(field);
  });

  it('are sent in the future or at once, and not while they are drafts', async () => {
    expect(await wrong(create({ sendAt: inHours(-1) }))).toEqual({
      sendAt: ['sendAt must be in the future'],
    });
    expect(await wrong(create({ sendAt: inHours(1), draft: true }))).toEqual({
      sendAt: [expect.any(String)],
    });
  });

  it('are at most three within 24 hours, also when ten are asked for at the same time', async () => {
    const results = await outcomes(Array.from({ length: 10 }, () => create()));
    expect(results).toEqual({ ok: 3, MESSAGE_LIMIT: 7 });
    const later = await codes([create({ sendAt: inHours(23) }), create({ sendAt: inHours(25) })]);
    expect(later).toEqual(['MESSAGE_LIMIT', 'ok']);
    expect(await create({ draft: true })).toMatchObject({ state: 'draft' });
  });

  it('count within any 24 hours, before and after, and not once they are cancelled', async () => {
    const hours = [1, 20, 30];
    const [, second] = await Promise.all(hours.map((hour) => create({ sendAt: inHours(hour) })));
    await create({ sendAt: inHours(40) });
    // 20, 30, 40 and this one
    expect(await wrong(create({ sendAt: inHours(35) }))).toBe('MESSAGE_LIMIT');
    expect(await create({ sendAt: inHours(60) })).toMatchObject({ state: 'scheduled' });
    await service.cancel(admin, { eventId, messageId: second!.id });
    const { id: moved } = await create({ sendAt: inHours(35) });
    expect(await change(moved, { sendAt: inHours(36) })).toMatchObject({ state: 'scheduled' });
  });

  it('of another event are not found, nor is an event that is none', async () => {
    const { id: messageId } = await create({ draft: true });
    const other = (await insertEvent(events.owner)).id;
    const lost = { eventId: other, messageId };
    for (const asked of [
      service.get(admin, lost),
      service.cancel(admin, lost),
      service.recipients(admin, lost),
      service.change(admin, { ...TEXT, segment: 'registered', ...lost }),
    ])
      expect(await wrong(asked)).toBe('MESSAGE_NOT_FOUND');
    expect(await wrong(create({}, UNKNOWN))).toBe('EVENT_NOT_FOUND');
    expect(await wrong(service.list(admin, { eventId: UNKNOWN }))).toBe('EVENT_NOT_FOUND');
  });

  it('of a request that is repeated are one', async () => {
    const request = { ...TEXT, segment: 'registered', eventId, id: id() } as const;
    const message = await service.create(admin, request);
    expect(await service.create(admin, request)).toEqual(message);
    expect(await events.outbox(SendMessage)).toHaveLength(1);
  });

  it('are refused to whoever does not manage the event any more', async () => {
    await updateRow(events.owner, 'auth.users', admin.sub, { isAdmin: false });
    expect(await wrong(create())).toBe('FORBIDDEN');
    expect(await wrong(service.list(admin, { eventId }))).toBe('FORBIDDEN');
  });

  it('are shown as the mail that recipients get, and tested by a mail to the author alone', async () => {
    const shown = await service.preview(admin, { ...TEXT, eventId });
    expect(shown.subject).toBe(TEXT.subject);
    expect(shown.html).toContain('We meet <b>upstairs</b>.');
    expect(shown.html).toMatch(/https:\/\/meetmark\.example\/e\/tea(-\d+)?"/);
    expect(shown.text).toContain('We meet upstairs.');
    await service.test(admin, { ...TEXT, eventId });
    expect(await events.outbox(MessageTestMail)).toEqual([
      { ...TEXT, eventId, userId: admin.sub, replyTo: 'author' },
    ]);
  });

  it('are shown in the language of the community, as they go to whoever has chosen none', async () => {
    const shipped = loadCommunity(events.config.communityConfig);
    const hybrid = await insertEvent(events.owner, { format: 'hybrid', location: 'Unit 1' });
    const shown = () => service.preview(admin, { ...TEXT, eventId: hybrid.id });
    const speaks = (words: string) =>
      until(words, PROMISED, async () => (await shown()).text.includes(words));
    await speaks('Answer this mail');
    await insertSettings(events.owner, { ...shipped, locale: 'de-DE' });
    await speaks('Antworten Sie auf diese E-Mail');
    const { html, text } = await shown();
    expect(html).toContain('<html lang="de-DE">');
    expect(text).toMatch(/Uhr .+ · Unit 1 \(auch online\)\n/);
    await insertSettings(events.owner, shipped);
    await speaks('Answer this mail');
  });

  it('count those who came and, where anybody was checked in, those who did not, and nobody who cannot be written to', async () => {
    const [other] = await events.members(1);
    const came = await insertRegistration(events.owner, { eventId, userId: other! });
    await events.owner.query(
      `UPDATE events.event_registrations SET checked_in_at = now(), checked_in_by = 'door' WHERE id = $1`,
      [came.id],
    );
    for (const email of ['grace@example.org', null])
      await events.owner.query(
        `INSERT INTO events.event_registrations (id, event_id, guest_name, guest_email, show_me)
         VALUES (gen_random_uuid(), $1, 'Grace Guest', $2, 'no')`,
        [eventId, email],
      );
    const audience = () => service.audience(admin, { eventId });
    expect(await audience()).toEqual({ registered: 3, waiting: 0, came: 1, did_not_come: 2 });
    await events.owner.query(
      'UPDATE events.event_registrations SET checked_in_at = NULL, checked_in_by = NULL',
    );
    expect(await audience()).toEqual({ registered: 3, waiting: 0, came: 0, did_not_come: 0 });
  });

  it('are stopped, and wanted again, by a guest without an account', async () => {
    const ask = () => service.findGuest({ registrationId: place });
    expect(await ask()).toEqual({ subscribed: true });
    for (const subscribed of [false, false, true, true]) {
      await service.setGuest({ registrationId: place, subscribed });
      expect(await ask()).toEqual({ subscribed });
    }
    await service.setGuest({ registrationId: UNKNOWN, subscribed: false });
    expect(await service.findGuest({ registrationId: UNKNOWN })).toBeNull();
  });

  it('show who gets them, by name and page by page, with what became of each mail', async () => {
    const { id: messageId } = await create();
    const members = await events.members(3);
    const registrations = [place];
    for (const userId of members)
      registrations.push((await insertRegistration(events.owner, { eventId, userId })).id);
    await events.owner.query(
      'INSERT INTO events.message_recipients (message_id, registration_id) SELECT $1, unnest($2::uuid[])',
      [messageId, registrations],
    );
    await events.owner.query(
      `UPDATE events.message_recipients SET state = 'refused', at = now() WHERE registration_id = $1`,
      [registrations[2]],
    );
    const all = await service.recipients(admin, { eventId, messageId });
    expect(all.total).toBe(4);
    expect(all.items.map(({ registrationId }) => registrationId).sort()).toEqual([...registrations].sort());
    const paged = [];
    let cursor: string | undefined;
    do {
      const page = await service.recipients(admin, { eventId, messageId, limit: 1, cursor });
      paged.push(...page.items);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(paged).toEqual(all.items);
    const refused = await service.recipients(admin, { eventId, messageId, state: 'refused' });
    expect(refused).toMatchObject({
      total: 1,
      items: [{ registrationId: registrations[2], at: expect.any(String) }],
    });
  });
});
