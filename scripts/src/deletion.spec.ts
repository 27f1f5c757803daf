import { testDatabase, type TestDatabase } from '@meetmark/testing';
import { insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import { insertUser, type UserRow } from '@meetmark/testing/factories/users';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { SCHEMAS } from './migrations.js';

/** An audit row points to people by id, for as long as it is kept. */
const MAY_HOLD_IDS = ['admin.audit_log'];

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

  /** Every table that holds the text anywhere, in bytes too. */
  const tablesWith = async (text: string) => {
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
  };
  const hashOf = (byte: string) => byte.repeat(64);
  const store = (hash: string) =>
    owner.query('INSERT INTO auth.pictures (hash, bytes, width, height) VALUES ($1, $2, 1, 1)', [
      hash,
      Buffer.from(`picture ${hash}`),
    ]);
  const show = (user: Pick<UserRow, 'id'>, hash: string | null) =>
    auth.query('UPDATE auth.users SET profile_picture_hash = $2 WHERE id = $1', [user.id, hash]);
  const remove = (user: Pick<UserRow, 'id'>) => auth.query('DELETE FROM auth.users WHERE id = $1', [user.id]);
  const record = (action: string, actor: string, subject: string, name: string) =>
    owner.query(
      `INSERT INTO admin.audit_log (id, action, actor_id, actor_name, subject_id, subject_name, at)
       VALUES ($1, $2, $3, 'Somebody Else', $4, $5, now())`,
      [randomUUID(), action, actor, subject, name],
    );

  it('leaves nothing of them in any table, but their id in what was audited', async () => {
    const administrator = await insertUser(owner, { isAdmin: true });
    const person = {
      firstName: `First${randomUUID()}`,
      lastName: `Last${randomUUID()}`,
      email: `${randomUUID()}@people.example`,
      description: `About ${randomUUID()}`,
    };
    const user = await insertUser(owner, person);
    const hash = hashOf('a');
    await store(hash);
    await show(user, hash);
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
    const event = await insertEvent(owner, { createdById: administrator.id });
    await insertRegistration(owner, { eventId: event.id, userId: user.id });
    // what a phone at the door typed once its link had ended
    await owner.query(
      `WITH link AS (
         INSERT INTO events.door_links (id, event_id, token_hash) VALUES ($1, $2, decode(repeat('02', 32), 'hex')) RETURNING id)
       INSERT INTO events.door_refusals (link_id, key, at, reason, guest_name, guest_email)
       SELECT id, gen_random_uuid(), now(), 'revoked', $3, $4 FROM link`,
      [randomUUID(), event.id, person.firstName, person.email.toUpperCase()],
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
    ] as const)
      await owner.query(
        `INSERT INTO ${schema}.outbox (id, job, payload, done_at) VALUES ($1, $2, $3, ${done})`,
        [randomUUID(), job, payload],
      );
    await owner.query(
      `INSERT INTO gateway.sessions (sid, sess, expire, user_id) VALUES ($1, $2, now() + interval '1 day', $3)`,
      [randomUUID(), { userId: user.id }, user.id],
    );
    // an administrator's answer that describes the user
    await owner.query(
      `INSERT INTO gateway.idempotency_keys (user_id, key, request_hash, status, body, expire)
       VALUES ($1, 'x', 'y', 201, $2, now() + interval '1 day')`,
      [administrator.id, { id: user.id, ...person }],
    );
    const name = `${person.firstName} ${person.lastName}`;
    await record('user.updated', administrator.id, user.id, name);
    await record('user.updated', user.id, administrator.id, name);
    await record('event.updated', administrator.id, event.id, 'Tea');

    await remove(user);

    for (const personal of [...Object.values(person), before, name, `picture ${hash}`, hash])
      expect([personal, await tablesWith(personal)]).toEqual([personal, []]);
    expect(await tablesWith(user.id)).toEqual(MAY_HOLD_IDS);
    // and what is others' stays
    const { rows } = await owner.query('SELECT registered_user_ids AS ids FROM events.deleted_events');
    expect(rows).toEqual([{ ids: [administrator.id] }]);
    expect(await tablesWith('mail.eventCancelled')).toEqual(['events.outbox']);
    expect(await tablesWith('Tea')).toEqual(['admin.audit_log']);
  });

  it('and a new picture take the old one away, unless somebody else shows the same', async () => {
    const [one, other] = [await insertUser(owner), await insertUser(owner)];
    for (const byte of ['b', 'c']) await store(hashOf(byte));
    await show(one, hashOf('b'));
    await show(other, hashOf('b'));
    await show(one, hashOf('c'));
    expect(await tablesWith(`picture ${hashOf('b')}`)).toEqual(['auth.pictures']);
    await show(one, null);
    expect(await tablesWith(`picture ${hashOf('c')}`)).toEqual([]);
    await remove(one);
    expect(await tablesWith(`picture ${hashOf('b')}`)).toEqual(['auth.pictures']);
    await remove(other);
    expect(await tablesWith(`picture ${hashOf('b')}`)).toEqual([]);
  });

  it('beside a deletion of their event leaves no id in what calendars are told', async () => {
    const [creator, user] = [await insertUser(owner), await insertUser(owner)];
    const event = await insertEvent(owner, { createdById: creator.id });
    await insertRegistration(owner, { eventId: event.id, userId: user.id });
    const deleting = await owner.connect();
    await deleting.query('BEGIN');
    await deleting.query('DELETE FROM events.event_registrations WHERE event_id = $1', [event.id]);
    const removal = remove(user); // waits for the registration
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
