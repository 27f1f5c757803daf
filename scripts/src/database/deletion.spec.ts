import { AccountsService } from '@meetmark/auth/accounts/accounts.service';
import { createCall, openAuth } from '@meetmark/auth/testing/open-auth';
import { FORMER_MEMBER } from '@meetmark/contracts';
import { databaseForTests } from '@meetmark/platform/testing/database-for-tests';
import { beforeCommit } from '@meetmark/testing';
import { daysFromNow, insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import {
  insertAdministrator,
  insertRow,
  insertUser,
  updateRow,
  type UserRow,
} from '@meetmark/testing/factories/users';
import { createHash, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { SCHEMAS } from '../migrations.js';
import { withClient } from '../with-client.js';

const MASKED = 'l…@d.example';

describe('the deletion of a user', () => {
  const database = databaseForTests();
  let owner: pg.Pool;
  let auth: pg.Pool;
  beforeAll(() => {
    owner = database.openPool(database.url, 3);
    auth = database.openPool(database.urlFor('meetmark_auth'), 2);
  });

  /** Lists the tables with a row that contains the text, as text or in bytes. */
  async function tablesWith(text: string): Promise<string[]> {
    const { rows } = await owner.query<{ name: string }>(
      `SELECT table_schema || '.' || table_name AS name FROM information_schema.tables
       WHERE table_schema = ANY ($1) AND table_type = 'BASE TABLE'`,
      [SCHEMAS],
    );
    const found: string[] = [];
    for (const { name } of rows) {
      const { rowCount } = await owner.query(
        `SELECT FROM ${name} AS row WHERE strpos(lower(row::text), lower($1)) > 0
           OR strpos(row::text, encode(convert_to($1, 'UTF8'), 'hex')) > 0 LIMIT 1`,
        [text],
      );
      if (rowCount !== 0) found.push(name);
    }
    return found;
  }
  const insert = (table: string, row: object) => insertRow(owner, table, row);
  const makeHash = (byte: string) => byte.repeat(64);
  const store = (hash: string) =>
    insert('auth.pictures', { hash, bytes: Buffer.from(`picture ${hash}`), width: 1, height: 1 });
  const show = (user: Pick<UserRow, 'id'>, hash: string | null) =>
    updateRow(auth, 'auth.users', user.id, { profilePictureHash: hash });
  const remove = (user: Pick<UserRow, 'id'>) => auth.query('DELETE FROM auth.users WHERE id = $1', [user.id]);
  const record = (action: string, actorId: string, subjectId: string, subjectName: string | null) =>
    insert('admin.audit_log', { id: randomUUID(), action, actorId, subjectId, subjectName, at: new Date() });

  const closeAndWait = async (user: Pick<UserRow, 'id'>) => {
    for (const days of [0, 7])
      await updateRow(owner, 'auth.users', user.id, { closedAt: daysFromNow(-days) });
    const { rows } = await withClient(database.urlFor('meetmark_worker'), (worker) =>
      worker.query<{ done: boolean }>('SELECT auth.delete_closed_account() AS done'),
    );
    expect(rows).toEqual([{ done: true }]);
  };

  it.each([
    ['by an administrator', remove],
    ['a week after closing the account', closeAndWait],
  ])('%s removes the user’s data from every table', async (_, deletion) => {
    await owner.query('TRUNCATE auth.users, events.deleted_events CASCADE');
    const administrator = await insertUser(owner, { isAdmin: true });
    const person = {
      firstName: `First${randomUUID()}`,
      lastName: `Last${randomUUID()}`,
      email: `${randomUUID()}@people.example`,
      description: `About ${randomUUID()}`,
      linkedInUrl: `https://linkedin.example/${randomUUID()}`,
    };
    const user = await insertUser(owner, person);
    const hash = makeHash('a');
    await store(hash);
    await show(user, hash);
    const id = randomUUID;
    const hour = { startDate: new Date(), endDate: new Date(Date.now() + 3_600_000) };
    const before = `${randomUUID()}@people.example`;
    await insert('auth.consents', { userId: user.id, page: 'terms', version: makeHash('0') });
    const link = { linkHash: Buffer.alloc(32), expiresAt: daysFromNow(1) };
    await insert('auth.code_flows', {
      ...{ ...link, id: id(), purpose: 'sign-in', email: person.email, linkExpiresAt: daysFromNow(1) },
    });
    await insert('auth.email_reverts', { ...link, id: id(), userId: user.id, email: before });
    const exportId = id();
    await insert('auth.data_exports', { id: exportId, userId: user.id, account: 'account' });
    const part = { exportId, attempt: exportId, number: 0, bytes: Buffer.from(person.email) };
    await insert('auth.data_export_parts', part);
    const event = await insertEvent(owner, { createdById: administrator.id });
    await insertRegistration(owner, { eventId: event.id, userId: user.id });
    const past = await insertEvent(owner, { createdById: administrator.id, startDate: daysFromNow(-2) });
    const came = await insertRegistration(owner, {
      ...{ eventId: past.id, userId: user.id, registeredAt: daysFromNow(-3) },
    });
    await updateRow(owner, 'events.event_registrations', came.id, {
      ...{ addedAs: person.firstName, guestEmail: person.email, note: person.description },
    });
    await insert('events.proposals', { id: id(), proposerId: user.id, title: 'Biscuits', ...hour });
    // A check-in of the user, refused because the phone's link had been revoked.
    const linkId = id();
    await insert('events.door_links', { id: linkId, eventId: event.id, tokenHash: Buffer.alloc(32) });
    await insert('events.door_refusals', {
      ...{ linkId, key: id(), at: new Date(), reason: 'revoked' },
      ...{ guestName: person.firstName, guestEmail: person.email.toUpperCase() },
    });
    // A message that the user sent to a host without signing in.
    const writerHash = createHash('sha256').update(person.email).digest();
    await insert('events.host_messages', {
      ...{ id: id(), eventId: event.id, hostId: administrator.id, writerHash, name: person.firstName },
      ...{ email: person.email, body: 'May I bring my dog?' },
    });
    await insert('events.deleted_events', {
      ...{ id: id(), title: 'Gone', ...hour, isAllDay: false, sequence: 1, createdAt: new Date() },
      registeredUserIds: [user.id, administrator.id],
    });
    const [now, open] = [new Date(), null];
    const updated = { action: 'user.updated', actorId: administrator.id, subjectId: user.id };
    const declined = { action: 'proposal.declined', actorId: user.id, subjectId: null };
    for (const [schema, job, payload, doneAt] of [
      ['auth', 'mail.emailChanged', { userId: user.id, oldEmail: person.email }, now],
      ['auth', 'mail.welcome', { userId: user.id }, open],
      ['events', 'mail.eventChanged', { userId: user.id, eventId: event.id }, now],
      ['events', 'mail.eventCancelled', { userId: administrator.id, eventId: event.id }, open],
      ['auth', 'audit.record', updated, now],
      ['events', 'audit.record', declined, open],
    ] as const)
      await insert(`${schema}.outbox`, { id: id(), job, payload, doneAt });
    const expire = daysFromNow(1);
    await insert('gateway.sessions', { sid: id(), sess: { userId: user.id }, expire, userId: user.id });
    // A stored response to an administrator that contains the user's data.
    await insert('gateway.idempotency_keys', {
      ...{ userId: administrator.id, key: 'x', requestHash: 'y', status: 201, expire },
      body: { id: user.id, ...person },
    });
    const name = `${person.firstName} ${person.lastName}`;
    await record('user.updated', administrator.id, user.id, null);
    await record('user.updated', user.id, administrator.id, null);
    await record('event.updated', administrator.id, event.id, 'Tea');
    await insert('admin.audit_log', {
      ...{ id: id(), action: 'user.updated', actorId: administrator.id, subjectId: user.id, at: new Date() },
      changedValues: { email: MASKED },
    });

    const personal = [...Object.values(person), before, name, `picture ${hash}`, hash, user.id, MASKED];
    // The search would find each of them.
    for (const text of personal) expect([text, await tablesWith(text)]).not.toEqual([text, []]);

    await deletion(user);
    await record('user.deleted', administrator.id, user.id, null);

    for (const text of personal) expect([text, await tablesWith(text)]).toEqual([text, []]);
    const { rows: kept } = await owner.query('SELECT registration_count AS count FROM events.events');
    expect(kept).toEqual(expect.arrayContaining([{ count: 0 }, { count: 1 }]));
    expect(await tablesWith('Biscuits')).toEqual(['events.proposals']);
    const { rows } = await owner.query('SELECT registered_user_ids AS ids FROM events.deleted_events');
    expect(rows).toEqual([{ ids: [administrator.id] }]);
    expect(await tablesWith('mail.eventCancelled')).toEqual(['events.outbox']);
    expect(await tablesWith('Tea')).toEqual(['admin.audit_log']);
    expect(await tablesWith(FORMER_MEMBER)).toEqual(
      expect.arrayContaining(['admin.audit_log', 'auth.outbox']),
    );
  });

  it('removes the user’s profile image unless another account uses it', async () => {
    const [one, other] = [await insertUser(owner), await insertUser(owner)];
    for (const byte of ['b', 'c']) await store(makeHash(byte));
    await show(one, makeHash('b'));
    await show(other, makeHash('b'));
    await show(one, makeHash('c'));
    expect(await tablesWith(`picture ${makeHash('b')}`)).toEqual(['auth.pictures']);
    await show(one, null);
    expect(await tablesWith(`picture ${makeHash('c')}`)).toEqual([]);
    await remove(one);
    expect(await tablesWith(`picture ${makeHash('b')}`)).toEqual(['auth.pictures']);
    await remove(other);
    expect(await tablesWith(`picture ${makeHash('b')}`)).toEqual([]);
  });

  it('leaves no id of the user in the record of a concurrently deleted event', async () => {
    const [creator, user] = [await insertUser(owner), await insertUser(owner)];
    const event = await insertEvent(owner, { createdById: creator.id });
    await insertRegistration(owner, { eventId: event.id, userId: user.id });
    const deleting = await owner.connect();
    await deleting.query('BEGIN');
    await deleting.query('DELETE FROM events.event_registrations WHERE event_id = $1', [event.id]);
    const removal = remove(user);
    await insertRow(deleting, 'events.deleted_events', {
      ...{ id: event.id, title: 'Gone too', startDate: event.startDate, endDate: event.endDate },
      ...{ isAllDay: false, sequence: 1, createdAt: new Date(), registeredUserIds: [user.id] },
    });
    await deleting.query('COMMIT');
    deleting.release();
    await removal;
    expect(await tablesWith(user.id)).toEqual([]);
  });

  describe('with events', () => {
    let grace: UserRow;
    let ada: UserRow;
    let eventId: string;
    beforeEach(async () => {
      grace = await insertAdministrator(owner);
      ada = await insertUser(owner, { isOrganiser: true });
      eventId = (await insertEvent(owner, { createdById: ada.id })).id;
    });

    const fetchCreator = async (id: string) => {
      const sql = 'SELECT created_by_id AS creator FROM events.events WHERE id = $1';
      return (await owner.query<{ creator: string }>(sql, [id])).rows[0]?.creator;
    };

    it('transfers events to the deleting administrator, even events created concurrently', async () => {
      const late = randomUUID();
      const creation = `INSERT INTO events.events (id, title, start_date, end_date, created_by_id)
        VALUES ('${late}', 'Late', now(), now() + interval '1 hour', '${ada.id}')`;
      const service = await openAuth(database);
      await beforeCommit(owner, [creation], () =>
        service.get(AccountsService).delete({ userId: ada.id }, createCall(grace)),
      );
      await service.close();
      expect([await fetchCreator(eventId), await fetchCreator(late)]).toEqual([grace.id, grace.id]);
      expect(await tablesWith(ada.id)).not.toContain('auth.users');
    });

    it('never transfers events to a member chosen with auth’s database role', async () => {
      const [mallory, intruder] = [await insertUser(owner), await auth.connect()];
      for (const way of [
        `SELECT events.hand_over_events('${ada.id}')`,
        `UPDATE events.events SET created_by_id = '${mallory.id}'`,
      ])
        await expect(intruder.query(way)).rejects.toMatchObject({ code: '42501' });
      await intruder.query("SELECT set_config('meetmark.editor', $1, false)", [mallory.id]);
      await intruder.query('DELETE FROM auth.users WHERE id = $1', [ada.id]);
      intruder.release(true);
      const { rows } = await owner.query<{ id: string }>('SELECT id FROM auth.users WHERE is_admin');
      expect(rows.map(({ id }) => id)).toContain(await fetchCreator(eventId));
    });
  });
});
