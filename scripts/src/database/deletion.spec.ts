import { AccountsService } from '@meetmark/auth/accounts/accounts.service';
import { createCall, nobody, openAuth, type TestAuth } from '@meetmark/auth/testing/open-auth';
import { FORMER_MEMBER, pictureUrl } from '@meetmark/contracts';
import { EventEditingService } from '@meetmark/events/events/core/event-editing.service';
import { EventsService } from '@meetmark/events/events/core/events.service';
import { GalleryService } from '@meetmark/events/pictures/gallery.service';
import { openEvents, type TestEvents } from '@meetmark/events/testing/open-events';
import { beforeCommit, testDatabase, type TestDatabase } from '@meetmark/testing';
import { daysFromNow, insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import { insertAdministrator, insertUser, updateRow, type UserRow } from '@meetmark/testing/factories/users';
import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { SCHEMAS } from '../migrations.js';

async function tablesHolding(text: string, owner: pg.Pool): Promise<string[]> {
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

describe('the deletion of a user', () => {
  let database: TestDatabase;
  let owner: pg.Pool;
  let auth: pg.Pool;
  beforeAll(async () => {
    database = await testDatabase();
    owner = new pg.Pool({ connectionString: database.url, max: 3 });
    auth = new pg.Pool({ connectionString: database.urlFor('meetmark_auth'), max: 2 });
  });
  afterAll(async () => {
    await auth.end();
    await owner.end();
    await database.drop();
  });

  const tablesWith = (text: string) => tablesHolding(text, owner);
  const makeHash = (byte: string) => byte.repeat(64);
  const store = (hash: string) =>
    owner.query('INSERT INTO auth.pictures (hash, bytes, width, height) VALUES ($1, $2, 1, 1)', [
      hash,
      Buffer.from(`picture ${hash}`),
    ]);
  const show = (user: Pick<UserRow, 'id'>, hash: string | null) =>
    auth.query('UPDATE auth.users SET profile_picture_hash = $2 WHERE id = $1', [user.id, hash]);
  const remove = (user: Pick<UserRow, 'id'>) => auth.query('DELETE FROM auth.users WHERE id = $1', [user.id]);
  const record = (action: string, actor: string, subject: string, name: string | null) =>
    owner.query(
      `INSERT INTO admin.audit_log (id, action, actor_id, subject_id, subject_name, at)
       VALUES ($1, $2, $3, $4, $5, now())`,
      [randomUUID(), action, actor, subject, name],
    );

  const closeAndWait = async (user: Pick<UserRow, 'id'>) => {
    for (const ago of ['0 s', '7 days'])
      await owner.query('UPDATE auth.users SET closed_at = now() - $2::interval WHERE id = $1', [
        user.id,
        ago,
      ]);
    const worker = new pg.Client(database.urlFor('meetmark_worker'));
    await worker.connect();
    const { rows } = await worker.query<{ done: boolean }>('SELECT auth.delete_closed_account() AS done');
    await worker.end();
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
    await owner.query("INSERT INTO auth.consents VALUES ($1, 'terms', repeat('0', 64))", [user.id]);
    await owner.query(
      `INSERT INTO auth.code_flows (id, purpose, user_id, email, link_hash, expires_at, link_expires_at)
       VALUES ($1, 'sign-in', NULL, $2, decode(repeat('00', 32), 'hex'), now(), now() + interval '10 minutes')`,
      [randomUUID(), person.email],
    );
    const before = `${randomUUID()}@people.example`;
    await owner.query(
      `INSERT INTO auth.email_reverts (id, user_id, email, link_hash, expires_at)
       VALUES ($1, $2, $3, decode(repeat('01', 32), 'hex'), now() + interval '72 hours')`,
      [randomUUID(), user.id, before],
    );
    await owner.query(
      `WITH export AS (
         INSERT INTO auth.data_exports (id, user_id, account) VALUES ($1, $2, 'account') RETURNING id)
       INSERT INTO auth.data_export_parts (export_id, attempt, number, bytes) SELECT id, $1, 0, $3 FROM export`,
      [randomUUID(), user.id, Buffer.from(person.email)],
    );
    const event = await insertEvent(owner, { createdById: administrator.id });
    await insertRegistration(owner, { eventId: event.id, userId: user.id });
    const past = await insertEvent(owner, {
      ...{ createdById: administrator.id, startDate: daysFromNow(-2) },
    });
    const came = await insertRegistration(owner, {
      ...{ eventId: past.id, userId: user.id, registeredAt: daysFromNow(-3) },
    });
    await updateRow(owner, 'events.event_registrations', came.id, {
      ...{ addedAs: person.firstName, guestEmail: person.email, note: person.description },
    });
    await owner.query(
      `INSERT INTO events.proposals (id, proposer_id, title, start_date, end_date)
       VALUES ($1, $2, 'Biscuits', now(), now() + interval '1 hour')`,
      [randomUUID(), user.id],
    );
    // A check-in of the user, refused because the phone's link had been revoked.
    await owner.query(
      `WITH link AS (
         INSERT INTO events.door_links (id, event_id, token_hash) VALUES ($1, $2, decode(repeat('02', 32), 'hex')) RETURNING id)
       INSERT INTO events.door_refusals (link_id, key, at, reason, guest_name, guest_email)
       SELECT id, gen_random_uuid(), now(), 'revoked', $3, $4 FROM link`,
      [randomUUID(), event.id, person.firstName, person.email.toUpperCase()],
    );
    // A message that the user sent to a host without signing in.
    await owner.query(
      `INSERT INTO events.host_messages (id, event_id, host_id, writer_hash, name, email, body)
       VALUES ($1, $2, $3, sha256(convert_to(lower($5), 'UTF8')), $4, $5, 'May I bring my dog?')`,
      [randomUUID(), event.id, administrator.id, person.firstName, person.email],
    );
    await owner.query(
      `INSERT INTO events.deleted_events (id, title, start_date, end_date, is_all_day, sequence, created_at, registered_user_ids)
       VALUES ($1, 'Gone', now(), now() + interval '1 hour', false, 1, now(), $2)`,
      [randomUUID(), [user.id, administrator.id]],
    );
    for (const [schema, job, payload, done] of [
      ['auth', 'mail.emailChanged', { userId: user.id, oldEmail: person.email }, 'now()'],
      ['auth', 'mail.welcome', { userId: user.id }, 'NULL'],
      ['events', 'mail.eventChanged', { userId: user.id, eventId: event.id }, 'now()'],
      ['events', 'mail.eventCancelled', { userId: administrator.id, eventId: event.id }, 'NULL'],
      [
        'auth',
        'audit.record',
        { action: 'user.updated', actorId: administrator.id, subjectId: user.id },
        'now()',
      ],
      ['events', 'audit.record', { action: 'proposal.declined', actorId: user.id, subjectId: null }, 'NULL'],
    ] as const)
      await owner.query(
        `INSERT INTO ${schema}.outbox (id, job, payload, done_at) VALUES ($1, $2, $3, ${done})`,
        [randomUUID(), job, payload],
      );
    await owner.query(
      `INSERT INTO gateway.sessions (sid, sess, expire, user_id) VALUES ($1, $2, now() + interval '1 day', $3)`,
      [randomUUID(), { userId: user.id }, user.id],
    );
    // A stored response to an administrator that contains the user's data.
    await owner.query(
      `INSERT INTO gateway.idempotency_keys (user_id, key, request_hash, status, body, expire)
       VALUES ($1, 'x', 'y', 201, $2, now() + interval '1 day')`,
      [administrator.id, { id: user.id, ...person }],
    );
    const name = `${person.firstName} ${person.lastName}`;
    await record('user.updated', administrator.id, user.id, null);
    await record('user.updated', user.id, administrator.id, null);
    await record('event.updated', administrator.id, event.id, 'Tea');

    const personal = [...Object.values(person), before, name, `picture ${hash}`, hash, user.id];
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
    await deleting.query(
      `INSERT INTO events.deleted_events (id, title, start_date, end_date, is_all_day, sequence, created_at, registered_user_ids)
       VALUES ($1, 'Gone too', now(), now() + interval '1 hour', false, 1, now(), $2)`,
      [event.id, [user.id]],
    );
    await deleting.query('COMMIT');
    deleting.release();
    await removal;
    expect(await tablesWith(user.id)).toEqual([]);
  });
});

describe('the deletion of an account with events', () => {
  let database: TestDatabase;
  let auth: TestAuth;
  let events: TestEvents;
  let grace: UserRow;
  beforeAll(async () => {
    database = await testDatabase();
    auth = await openAuth(database);
    events = await openEvents(database);
    grace = await insertAdministrator(auth.owner);
  });
  afterAll(async () => {
    await auth.close();
    await events.close();
    await database.drop();
  });

  const remove = (id: string) => auth.get(AccountsService).delete({ userId: id }, createCall(grace));
  const organiser = () => insertUser(auth.owner, { isOrganiser: true });
  const fetchCreator = async (eventId: string) => {
    const { rows } = await auth.owner.query<{ creator: string }>(
      'SELECT created_by_id AS creator FROM events.events WHERE id = $1',
      [eventId],
    );
    return rows[0]?.creator;
  };
  const isThere = async (id: string) =>
    (await auth.owner.query('SELECT FROM auth.users WHERE id = $1', [id])).rowCount === 1;

  it('transfers events to the deleting administrator, even events created concurrently', async () => {
    const ada = await organiser();
    const kept = await insertEvent(auth.owner, { createdById: ada.id });
    const late = randomUUID();
    const creation = `INSERT INTO events.events (id, title, start_date, end_date, created_by_id)
      VALUES ('${late}', 'Late', now(), now() + interval '1 hour', '${ada.id}')`;
    await beforeCommit(auth.owner, [creation], () => remove(ada.id));
    expect([await fetchCreator(kept.id), await fetchCreator(late)]).toEqual([grace.id, grace.id]);
    expect(await isThere(ada.id)).toBe(false);
  });

  it('keeps the gallery of a transferred event until the event is deleted', async () => {
    const ada = await organiser();
    const eventId = (await insertEvent(auth.owner, { createdById: ada.id })).id;
    const alt = `The hall ${randomUUID()}`;
    const bytes = Buffer.from(alt);
    const hash = createHash('sha256').update(bytes).digest('hex');
    const picture = { hash, base64: bytes.toString('base64'), width: 16, height: 9 };
    await events.get(GalleryService).add({ eventId, alt, picture }, createCall(ada));
    await remove(ada.id);
    const { gallery } = await events.get(EventsService).get({ eventId }, nobody());
    expect(gallery).toMatchObject([{ alt, url: pictureUrl('gallery', hash) }]);
    expect(await tablesHolding(ada.id, auth.owner)).not.toContain('events.events');
    expect(new Set(await tablesHolding(alt, auth.owner))).toEqual(
      new Set(['events.events', 'events.pictures']),
    );
    await events.get(EventEditingService).delete({ eventId }, createCall(grace));
    expect(await tablesHolding(alt, auth.owner)).toEqual(['events.pictures']);
    expect(await events.get(GalleryService).has({ hash })).toBe(false);
  });

  describe('when attacked with the database role of auth', () => {
    let ada: UserRow;
    let mallory: UserRow;
    let eventId: string;
    let intruder: pg.Client;
    beforeEach(async () => {
      [ada, mallory] = [await organiser(), await insertUser(auth.owner)];
      eventId = (await insertEvent(auth.owner, { createdById: ada.id })).id;
      intruder = new pg.Client(database.urlFor('meetmark_auth'));
      await intruder.connect();
    });
    afterEach(() => intruder.end());

    it('hands over events only to an administrator', async () => {
      await intruder.query("SELECT set_config('meetmark.editor', $1, false)", [mallory.id]);
      await intruder.query('DELETE FROM auth.users WHERE id = $1', [ada.id]);
      expect(await fetchCreator(eventId)).toBe(grace.id);
    });

    it('can’t hand over events otherwise', async () => {
      const ways = [
        `SELECT events.hand_over_events('${ada.id}')`,
        `UPDATE events.events SET created_by_id = '${mallory.id}'`,
      ];
      for (const way of ways) await expect(intruder.query(way)).rejects.toMatchObject({ code: '42501' });
      expect(await fetchCreator(eventId)).toBe(ada.id);
    });
  });
});
