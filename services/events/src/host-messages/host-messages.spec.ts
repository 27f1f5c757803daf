import { type Community, HostMessageMail, type Identity, RecordAudit, VISITOR } from '@meetmark/contracts';
import { refuses } from '@meetmark/platform/testing/test-service';
import { codes, outcomes } from '@meetmark/testing';
import { daysFromNow, type EventRow, insertEvent } from '@meetmark/testing/factories/events';
import { updateRow } from '@meetmark/testing/factories/users';
import { v7 as uuid } from 'uuid';
import { createCall, eventsForTests, inject } from '../testing/open-events.js';
import { HostMessagesController } from './host-messages.controller.js';

const ADA = 'Ada@example.org';
const TEXT = 'May I bring my dog?\nIt is small.';

describe('messages to the host of an event', () => {
  const events = eventsForTests();
  const controller = inject(events, HostMessagesController);
  let community: Community;
  let host: string;
  let ada: Identity;
  let eventId: string;
  beforeEach(async () => {
    ({ community } = controller as unknown as { community: Community });
    community.contactHost = true;
    await events.empty();
    await events.owner.query('TRUNCATE events.host_messages, auth.code_flows');
    await events.owner.query('DELETE FROM auth.users WHERE email = $1', [ADA]);
    host = (await events.person({ isOrganiser: true })).sub;
    ada = await events.person({ firstName: 'Ada', lastName: 'King', email: ADA });
    eventId = (await insertEvent(events.owner, { createdById: host, title: 'Tea' })).id;
  });

  const write = (by: Identity, to = eventId, id = uuid()) =>
    controller.write({ id, eventId: to, message: TEXT }, createCall(by));
  const prove = async (email: string, at = eventId) => {
    const id = uuid();
    await events.owner.query(
      `INSERT INTO auth.code_flows (id, purpose, email, link_hash, expires_at, link_expires_at, event_id, confirmed_at, ended_at)
       VALUES ($1::uuid, 'contact', $2, sha256($1::text::bytea), now(), now(), $3, now(), now())`,
      [id, email, at],
    );
    return id;
  };
  const writeAsVisitor = (proof: string, to = eventId) =>
    controller.writeAsVisitor({ eventId: to, proof, name: 'Vera', message: TEXT });
  const visit = async (email: string, to = eventId) => writeAsVisitor(await prove(email, to), to);
  const rows = () => events.rows<object>('SELECT * FROM events.host_messages ORDER BY written_at, id');
  const at = (given: Partial<EventRow>) => insertEvent(events.owner, { createdById: host, ...given });

  it('stores the message and email address but keeps both out of the audit log', async () => {
    const id = uuid();
    await write(ada, eventId, id);
    expect(await rows()).toMatchObject([
      { id, host_id: host, writer_id: ada.sub, name: 'Ada King', email: ADA, body: TEXT },
    ]);
    expect(await events.outbox(HostMessageMail)).toEqual([{ messageId: id }]);
    const record = await events.outbox(RecordAudit);
    const entry = { actorId: ada.sub, subjectId: eventId, subjectName: 'Tea', changed: [] };
    expect(record).toMatchObject([{ action: 'event.hostWrittenTo', ...entry }]);
    expect(JSON.stringify(record)).not.toMatch(/dog|example\.org/i);
  });

  it('stores one message per visitor code, and rejects a code for another event', async () => {
    const proof = await prove('vera@example.org');
    const send = (to?: string) => writeAsVisitor(proof, to);
    const { id: elsewhere } = await at({});
    expect(await codes([send(elsewhere)])).toEqual(['CODE_INVALID']);
    expect(await outcomes([send(), send(), send()])).toEqual({ ok: 3 });
    expect(await rows()).toMatchObject([
      { id: proof, writer_id: null, name: 'Vera', email: 'vera@example.org' },
    ]);
    expect(await events.outbox(HostMessageMail)).toHaveLength(1);
    expect(await events.outbox(RecordAudit)).toMatchObject([{ actorId: VISITOR }]);
    await events.owner.query(`UPDATE auth.code_flows SET confirmed_at = now() - interval '31 minutes'`);
    expect(await codes([send()])).toEqual(['CODE_INVALID']);
  });

  it('sends the message to the first named host who has agreed', async () => {
    const [asked, agreed] = await events.members(2);
    await events.owner.query(
      `INSERT INTO events.event_people (event_id, role, position, user_id, agreed_at)
       VALUES ($1, 'host', 0, $2, NULL), ($1, 'host', 1, $3, now())`,
      [eventId, asked, agreed],
    );
    await write(ada);
    expect(await rows()).toMatchObject([{ host_id: agreed }]);
  });

  it('limits a person to three messages per day, as member and visitor combined', async () => {
    const eventIds = await Promise.all(
      Array.from({ length: 8 }, async () => (await at({ createdById: (await events.person()).sub })).id),
    );
    expect(await outcomes(eventIds.map((id) => write(ada, id)))).toEqual({ ok: 3, RATE_LIMITED: 5 });
    await expect(visit('ada@example.org')).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      details: { retryAfter: expect.any(Number) },
    });
    await events.owner.query(`UPDATE events.host_messages SET written_at = now() - interval '23 hours'`);
    const refused = await write(ada).catch((error: { details: { retryAfter: number } }) => error.details);
    expect(Math.abs(refused!.retryAfter - 3_600)).toBeLessThan(60);
    await events.owner.query(`UPDATE events.host_messages SET written_at = now() - interval '86401 s'`);
    expect(await codes([write(ada)])).toEqual(['ok']);
  });

  it('accepts at most twenty messages to a host across events, even simultaneous ones', async () => {
    const { id: other } = await at({});
    const people = await Promise.all(
      Array.from({ length: 30 }, (_, n) => prove(`v${n}@example.org`, n % 2 ? other : eventId)),
    );
    const sent = people.map((proof, n) => writeAsVisitor(proof, n % 2 ? other : eventId));
    expect(await outcomes(sent)).toEqual({ ok: 20, RATE_LIMITED: 10 });
    await refuses('RATE_LIMITED', write(ada));
    const { id: elsewhere } = await at({ createdById: (await events.person()).sub });
    expect(await codes([write(ada, elsewhere)])).toEqual(['ok']);
  });

  it('stores and emails a message once when the request is repeated', async () => {
    const id = uuid();
    expect(await outcomes([1, 2, 3, 4, 5].map(() => write(ada, eventId, id)))).toEqual({ ok: 5 });
    expect([(await rows()).length, (await events.outbox(HostMessageMail)).length]).toEqual([1, 1]);
  });

  const over = (days: number): Partial<EventRow> => ({
    startDate: daysFromNow(-days),
    endDate: new Date(daysFromNow(-days).getTime() + 1),
  });
  it.each<{ what: string; given: Partial<EventRow>; outcome: string }>([
    { what: 'unlisted', given: { visibility: 'unlisted' }, outcome: 'ok' },
    { what: 'cancelled', given: { status: 'cancelled' }, outcome: 'ok' },
    { what: 'a draft', given: { status: 'draft' }, outcome: 'EVENT_NOT_FOUND' },
    { what: 'over for 29 days', given: over(29), outcome: 'ok' },
    { what: 'over for a month', given: over(31), outcome: 'HOST_NOT_REACHABLE' },
  ])('handles a message about an event that is $what: $outcome', async ({ given, outcome }) => {
    const { id } = await at(given);
    expect(await codes([write(ada, id), visit('vera@example.org', id)])).toEqual([outcome, outcome]);
  });

  it('rejects messages from or to unverified members, and all messages if disabled', async () => {
    const unproved = await events.person({ emailVerifiedAt: null });
    expect(await codes([write(unproved)])).toEqual(['ADDRESS_UNPROVED']);
    await updateRow(events.owner, 'auth.users', host, { emailVerifiedAt: null });
    expect(await codes([write(ada)])).toEqual(['HOST_NOT_REACHABLE']);
    community.contactHost = false;
    expect(await codes([write(ada), visit('vera@example.org')])).toEqual(['NOT_FOUND', 'NOT_FOUND']);
    expect(await rows()).toEqual([]);
  });

  it.each(['the host', 'the writer', 'the event'])('deletes a message along with %s', async (what) => {
    await write(ada);
    if (what === 'the event') await events.owner.query('DELETE FROM events.events WHERE id = $1', [eventId]);
    else {
      const { sub: heir } = await events.person();
      if (what === 'the host')
        await events.owner.query('UPDATE events.events SET created_by_id = $1', [heir]);
      await events.deleteUser(what === 'the host' ? host : ada.sub);
    }
    expect(await rows()).toEqual([]);
  });
});
