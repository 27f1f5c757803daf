import { randomBytes, randomUUID } from 'node:crypto';
import { daysFromNow, insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import { insertUser } from '@meetmark/testing/factories/users';
import { loadCommunity } from '@meetmark/platform';
import { workersForTests } from '../testing/test-worker.js';
import { CleanUpJob } from './clean-up.js';
import { RegistrationActivity } from './roll-up-activity.js';

describe('the clean-up', () => {
  const workers = workersForTests();
  let userId: string;

  beforeAll(async () => {
    userId = (await insertUser(workers.owner)).id;
  });

  const cleanUp = async () => {
    const settings = loadCommunity(workers.config.communityConfig);
    const activity = new RegistrationActivity(workers.asWorker, settings);
    await new CleanUpJob(workers.asWorker, activity, workers.config).handle();
  };
  const left = async (table: string, key: string): Promise<unknown[]> => {
    const rows = await workers.owner.query<Record<string, unknown>[]>(
      `SELECT ${key} FROM ${table} ORDER BY 1`,
    );
    return rows.map((row) => row[key]);
  };

  it('removes expired sessions and idempotency keys', async () => {
    await workers.owner.query(
      `INSERT INTO gateway.sessions (sid, sess, expire, user_id)
       VALUES ('old', '{}', now() - interval '1 minute', $1), ('young', '{}', now() + interval '1 minute', $1)`,
      [userId],
    );
    await workers.owner.query(
      `INSERT INTO gateway.idempotency_keys (user_id, key, request_hash, expire)
       VALUES ($1, 'old', '', now() - interval '1 minute'), ($1, 'young', '', now() + interval '1 minute')`,
      [userId],
    );
    await cleanUp();
    expect(await left('gateway.sessions', 'sid')).toEqual(['young']);
    expect(await left('gateway.idempotency_keys', 'key')).toEqual(['young']);
  });

  it('removes maps of venues a month after they were fetched', async () => {
    await workers.owner.query(
      `INSERT INTO gateway.maps (key, picture, fetched_at)
       SELECT decode(repeat(byte, 32), 'hex'), '\\x00', now() - age::interval
       FROM (VALUES ('01', '31 days'), ('02', '29 days')) AS old (byte, age)`,
    );
    await cleanUp();
    expect(await left('gateway.maps', 'key')).toEqual([Buffer.alloc(32, 2)]);
  });

  it('removes sign-up keys after a day', async () => {
    await workers.owner.query(
      `INSERT INTO auth.sign_ups (key_hash, request_hash, user_id, created_at)
       SELECT decode(repeat(byte, 32), 'hex'), decode(repeat('00', 32), 'hex'), $1, now() - age::interval
       FROM (VALUES ('01', '25 hours'), ('02', '23 hours')) AS old (byte, age)`,
      [userId],
    );
    await cleanUp();
    expect(await left('auth.sign_ups', 'key_hash')).toEqual([Buffer.alloc(32, 2)]);
  });

  it('removes previews of imports after a day, and imports after 30 days', async () => {
    await workers.owner.query(
      `INSERT INTO events.imports (id, created_by_id, file_name, state, created_at)
       SELECT gen_random_uuid(), $1, state || age, state, now() - age::interval
       FROM (VALUES ('preview', '25 hours'), ('preview', '23 hours'), ('done', '31 days'), ('done', '29 days')) AS old (state, age)`,
      [userId],
    );
    await cleanUp();
    expect(await left('events.imports', 'file_name')).toEqual(['done29 days', 'preview23 hours']);
  });

  it('removes the edit history of events and profiles after a month', async () => {
    const event = await insertEvent(workers.owner);
    for (const [table, key, id] of [
      ['events.event_edits', 'event_id', event.id],
      ['auth.profile_edits', 'user_id', userId],
    ] as const) {
      await workers.owner.query(
        `INSERT INTO ${table} (${key}, version, changed, edited_at)
         VALUES ($1, 2, '{}', now() - interval '32 days'), ($1, 3, '{}', now() - interval '30 days')`,
        [id],
      );
      await cleanUp();
      expect(await left(table, 'version')).toEqual([3]);
    }
  });

  it('removes day-old codes without a valid link, and expired email reverts', async () => {
    const [old, young, lasting, revert] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    const insert = (id: string, created: string, until: string) =>
      workers.owner.query(
        `INSERT INTO auth.code_flows (id, purpose, email, link_hash, expires_at, created_at, link_expires_at)
         VALUES ($1::uuid, 'reset', 'a@b.co', decode(md5($1::text) || md5($1::text), 'hex'), now(), now() + $2::interval, now() + $3::interval)`,
        [id, created, until],
      );
    await insert(old, '-25 hours', '-24 hours');
    await insert(young, '-23 hours', '-22 hours');
    await insert(lasting, '-25 hours', '6 days');
    await workers.owner.query(
      `INSERT INTO auth.email_reverts (id, user_id, email, link_hash, expires_at)
       VALUES ($1, $2, 'a@b.co', decode(repeat('00', 32), 'hex'), now() - interval '25 hours')`,
      [revert, userId],
    );
    await cleanUp();
    expect(await left('auth.code_flows', 'id')).toEqual([young, lasting].toSorted());
    expect(await left('auth.email_reverts', 'id')).toEqual([]);
    await workers.owner.query('DELETE FROM auth.code_flows');
  });

  it('removes host messages after two days if emailed, otherwise after seven', async () => {
    const event = await insertEvent(workers.owner);
    const write = async (name: string, age: string, body: string | null) => {
      const id = randomUUID();
      await workers.owner.query(
        `INSERT INTO events.host_messages (id, event_id, host_id, writer_hash, name, email, body, written_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, now() - $8::interval)`,
        [
          ...[id, event.id, userId, randomBytes(32)],
          ...(body === null ? [null, null, null] : [name, 'a@b.co', body]),
          age,
        ],
      );
      return id;
    };
    await write('mailed', '49 hours', null);
    await write('stuck', '169 hours', 'Is there parking?');
    const counted = await write('counted', '47 hours', null);
    const waiting = await write('waiting', '167 hours', 'Is there parking?');
    await cleanUp();
    expect(await left('events.host_messages', 'id')).toEqual([counted, waiting].toSorted());
  });

  it('keeps unverified accounts regardless of their age', async () => {
    const { id } = await insertUser(workers.owner, {
      emailVerifiedAt: null,
      createdAt: new Date(Date.now() - 400 * 24 * 3_600_000),
    });
    await cleanUp();
    expect(await workers.owner.query('SELECT id FROM auth.users WHERE id = $1', [id])).toEqual([{ id }]);
  });

  it('clears a pending email address that was not confirmed within a day', async () => {
    const [old, young] = [await insertUser(workers.owner), await insertUser(workers.owner)];
    for (const [{ id }, age] of [
      [old, '25 hours'],
      [young, '23 hours'],
    ] as const)
      await workers.owner.query(
        "UPDATE auth.users SET pending_email = 'new@example.org', pending_email_at = now() - $2::interval WHERE id = $1",
        [id, age],
      );
    await cleanUp();
    const rows = await workers.owner.query('SELECT id FROM auth.users WHERE pending_email IS NOT NULL');
    expect(rows).toEqual([{ id: young.id }]);
  });

  it('clears the network of registrations once the event has started', async () => {
    const network = 'n'.repeat(22);
    const register = async (days: number) => {
      const event = await insertEvent(workers.owner, {
        startDate: daysFromNow(days),
        endDate: daysFromNow(days + 1),
      });
      const { id } = await insertRegistration(workers.owner, { eventId: event.id, userId });
      await workers.owner.query('UPDATE events.event_registrations SET network = $2 WHERE id = $1', [
        id,
        network,
      ]);
      return id;
    };
    const [started, upcoming] = [await register(-0.5), await register(1)];
    await cleanUp();
    const rows = await workers.owner.query(
      'SELECT id, network FROM events.event_registrations WHERE id = ANY ($1) ORDER BY network NULLS FIRST',
      [[started, upcoming]],
    );
    expect(rows).toEqual([
      { id: started, network: null },
      { id: upcoming, network },
    ]);
  });

  it.each(['auth', 'events'])('removes unused images in the schema %s after a day', async (schema) => {
    const [shown, unused, fresh, inGallery] = [1, 2, 3, 4].map(() => randomBytes(32).toString('hex'));
    await workers.owner.query(
      `INSERT INTO ${schema}.pictures (hash, bytes, width, height, created_at)
       SELECT hash, 'x', 1, 1, now() - age FROM unnest($1::text[], $2::interval[]) AS picture (hash, age)`,
      [
        [shown, unused, fresh, inGallery],
        ['2 days', '2 days', '1 hour', '2 days'],
      ],
    );
    if (schema === 'auth')
      await workers.owner.query('UPDATE auth.users SET profile_picture_hash = $1 WHERE id = $2', [
        shown,
        userId,
      ]);
    else
      await workers.owner.query(
        'UPDATE events.events SET banner_hash = $1, gallery_pictures = $2 WHERE id = $3',
        [
          shown,
          JSON.stringify([{ id: randomUUID(), hash: inGallery, alt: 'The hall' }]),
          (await insertEvent(workers.owner)).id,
        ],
      );
    // Disables the trigger, to test that the query itself keeps gallery images. If the trigger kept them, the
    // batch would look incomplete, and the job would end early.
    const trigger = (does: 'DISABLE' | 'ENABLE') =>
      workers.owner.query(`ALTER TABLE events.pictures ${does} TRIGGER pictures_keep_of_gallery`);
    await trigger('DISABLE');
    try {
      await cleanUp();
    } finally {
      await trigger('ENABLE');
    }
    const kept = schema === 'events' ? [shown, fresh, inGallery] : [shown, fresh];
    expect(await left(`${schema}.pictures`, 'hash')).toEqual(kept.sort());
  });

  it.each(['auth', 'events'])(
    'removes outbox rows of %s a week after they were relayed, but no unrelayed ones',
    async (schema) => {
      const [done, given, kept, tried, waiting] = [1, 2, 3, 4, 5].map(() => randomUUID());
      await workers.owner.query(
        `INSERT INTO ${schema}.outbox (id, job, payload, available_at, relayed_at, done_at)
       SELECT id, 'x', '{}', now() - age, CASE WHEN relayed THEN now() - age END, CASE WHEN done THEN now() - age END
       FROM unnest($1::uuid[], $2::interval[], $3::boolean[], $4::boolean[]) AS row (id, age, relayed, done)`,
        [
          [done, given, kept, tried, waiting],
          ['8 days', '8 days', '6 days', '6 days', '8 days'],
          [true, true, true, true, false],
          [true, false, true, false, false],
        ],
      );
      await cleanUp();
      expect(await left(`${schema}.outbox`, 'id')).toEqual([kept, tried, waiting].sort());
    },
  );

  it.each(['auth', 'events'])('keeps an unfinished audit job of %s, however old', async (schema) => {
    const open = randomUUID();
    await workers.owner.query(
      `INSERT INTO ${schema}.outbox (id, job, payload, relayed_at)
       VALUES ($1, 'audit.record', '{}', now() - interval '8 days')`,
      [open],
    );
    await cleanUp();
    expect(await left(`${schema}.outbox`, 'id')).toContain(open);
  });

  it('removes security events after 90 days', async () => {
    const [old, young] = [randomUUID(), randomUUID()];
    await workers.owner.query(
      `INSERT INTO gateway.security_events (id, kind, network, request_id, at)
       SELECT id, 'sign-in', repeat('n', 22), 'r', now() - age FROM unnest($1::uuid[], $2::interval[]) AS event (id, age)`,
      [
        [old, young],
        ['91 days', '89 days'],
      ],
    );
    await cleanUp();
    expect(await left('gateway.security_events', 'id')).toEqual([young]);
  });

  it('removes the oldest security events of a kind without removing other kinds', async () => {
    const { owner } = workers;
    await owner.query('TRUNCATE gateway.security_events');
    const insert = (kind: string, count: number, age: string, counted = false) =>
      owner.query(
        `INSERT INTO gateway.security_events (id, kind, network, request_id, at, hour)
         SELECT gen_random_uuid(), $1, lpad(n::text, 22, 'n'), n, now() - $3::interval - n * interval '1 ms',
           CASE WHEN $4 THEN date_trunc('hour', now(), 'UTC') END
         FROM generate_series(1, $2::integer) AS n`,
        [kind, count, age, counted],
      );
    await insert('sign-in', 5, '60 days');
    await insert('locked-out', 60_010, '1 day');
    await insert('locked-out', 6_670, '1 hour', true);
    await cleanUp();
    const counts = await owner.query(
      `SELECT kind, count(*)::integer AS count, max(request_id::integer) AS oldest
       FROM gateway.security_events GROUP BY kind, hour IS NULL ORDER BY kind, oldest`,
    );
    expect(counts).toEqual([
      { kind: 'locked-out', count: 5_882, oldest: 5_882 },
      { kind: 'locked-out', count: 52_941, oldest: 52_941 },
      { kind: 'sign-in', count: 5, oldest: 5 },
    ]);
    await owner.query('TRUNCATE gateway.security_events');
  });

  it('removes audit log entries after the retention period', async () => {
    const [old, kept] = [randomUUID(), randomUUID()];
    await workers.owner.query(
      `INSERT INTO admin.audit_log (id, action, actor_id, at)
       SELECT id, 'user.updated', id, now() - age FROM unnest($1::uuid[], $2::interval[]) AS entry (id, age)`,
      [
        [old, kept],
        ['731 days', '729 days'],
      ],
    );
    await cleanUp();
    expect(await left('admin.audit_log', 'id')).toEqual([kept]);
  });

  it('removes records of deleted events a month after the event date', async () => {
    const [old, young] = [randomUUID(), randomUUID()];
    await workers.owner.query(
      `INSERT INTO events.deleted_events
         (id, title, start_date, end_date, is_all_day, sequence, registered_user_ids, created_at)
       SELECT id, 'x', now() - age, now() - age, false, 1, '{}', now()
       FROM unnest($1::uuid[], $2::interval[]) AS event (id, age)`,
      [
        [old, young],
        ['32 days', '30 days'],
      ],
    );
    await cleanUp();
    expect(await left('events.deleted_events', 'id')).toEqual([young]);
  });

  it('removes more rows than fit in one batch', async () => {
    await workers.owner.query(
      `INSERT INTO gateway.sessions (sid, sess, expire, user_id)
       SELECT 'many' || n, '{}', now() - interval '1 minute', $1 FROM generate_series(1, 2500) n`,
      [userId],
    );
    await cleanUp();
    expect(await left('gateway.sessions', 'sid')).toEqual(['young']);
  });

  it('runs the remaining parts when one fails, then reports the failure', async () => {
    await workers.owner.query(
      `INSERT INTO gateway.sessions (sid, sess, expire, user_id) VALUES ('again', '{}', now() - interval '1 minute', $1)`,
      [userId],
    );
    await workers.owner.query('REVOKE DELETE ON gateway.idempotency_keys FROM meetmark_worker');
    await expect(cleanUp()).rejects.toThrow('1 parts of the clean-up failed');
    expect(await left('gateway.sessions', 'sid')).toEqual(['young']);
    await workers.owner.query('GRANT DELETE ON gateway.idempotency_keys TO meetmark_worker');
  });
});
