import { randomBytes, randomUUID } from 'node:crypto';
import { insertEvent } from '@meetmark/testing/factories/events';
import { insertUser } from '@meetmark/testing/factories/users';
import { UnverifiedAccounts } from '../auth/unverified-accounts.js';
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
    const unverified = new UnverifiedAccounts(workers.asWorker, workers.config);
    await new CleanUpJob(workers.asWorker, activity, workers.config, unverified).handle();
  };
  const left = async (table: string, key: string): Promise<unknown[]> => {
    const rows = await workers.owner.query<Record<string, unknown>[]>(
      `SELECT ${key} FROM ${table} ORDER BY 1`,
    );
    return rows.map((row) => row[key]);
  };

  it('removes sessions and idempotency keys that have expired', async () => {
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

  it('removes the keys of sign-ups after a day', async () => {
    await workers.owner.query(
      `INSERT INTO auth.sign_ups (key_hash, request_hash, user_id, created_at)
       SELECT decode(repeat(byte, 32), 'hex'), decode(repeat('00', 32), 'hex'), $1, now() - age::interval
       FROM (VALUES ('01', '25 hours'), ('02', '23 hours')) AS old (byte, age)`,
      [userId],
    );
    await cleanUp();
    expect(await left('auth.sign_ups', 'key_hash')).toEqual([Buffer.alloc(32, 2)]);
  });

  it('removes who edited what a month after', async () => {
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

  it('removes codes after a day, but not a link that still works, and ways back that are over', async () => {
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

  it('removes what was written to a host two days after, and what no mail could carry after seven', async () => {
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

  describe('of accounts whose address nobody verified', () => {
    const account = async (
      idle: string,
      warned: string | null = null,
      changes: { isAdmin?: boolean } = {},
    ) => {
      const { id } = await insertUser(workers.owner, { emailVerifiedAt: null, ...changes });
      await workers.owner.query(
        'INSERT INTO auth.unverified_accounts (user_id, signed_in_at, warned_at) VALUES ($1, now() - $2::interval, now() - $3::interval)',
        [id, idle, warned],
      );
      return id;
    };
    const stands = async (id: string) =>
      (await workers.owner.query('SELECT id FROM auth.users WHERE id = $1', [id])).length === 1;
    const warnings = async () => {
      const rows = await workers.owner.query<{ user_id: string; days: number }[]>(
        `SELECT user_id, round(extract(epoch FROM link_expires_at - f.created_at) / 86400)::int AS days
         FROM auth.code_flows f JOIN auth.outbox o ON o.payload ->> 'flowId' = f.id::text AND o.payload ->> 'removal' = 'true'`,
      );
      return rows;
    };
    afterEach(() => workers.owner.query('TRUNCATE auth.unverified_accounts, auth.code_flows, auth.outbox'));

    it('warns once after 23 days without a sign-in, by a link that works for the seven days left', async () => {
      const idle = await account('24 days');
      await account('22 days');
      await cleanUp();
      await cleanUp();
      expect(await warnings()).toEqual([{ user_id: idle, days: 7 }]);
      expect(await stands(idle)).toBe(true);
    });

    it('removes them after 30 days, seven days after the warning', async () => {
      const [gone, warnedLate] = [await account('31 days', '8 days'), await account('31 days', '6 days')];
      await cleanUp();
      expect([await stands(gone), await stands(warnedLate)]).toEqual([false, true]);
    });

    it('forgets an address that was asked for a day ago', async () => {
      const [old, young] = [await account('1 day'), await account('1 day')];
      for (const [id, age] of [
        [old, '25 hours'],
        [young, '23 hours'],
      ])
        await workers.owner.query(
          "UPDATE auth.users SET pending_email = 'new@example.org', pending_email_at = now() - $2::interval WHERE id = $1",
          [id, age],
        );
      await cleanUp();
      const rows = await workers.owner.query(
        'SELECT id FROM auth.users WHERE pending_email IS NOT NULL AND id = ANY ($1)',
        [[old, young]],
      );
      expect(rows).toEqual([{ id: young }]);
    });

    it('leaves who holds a right, a registration or an event, and who is verified', async () => {
      const administrator = await account('31 days', '8 days', { isAdmin: true });
      const [registered, creator, verified] = [
        await account('31 days', '8 days'),
        await account('31 days', '8 days'),
        await account('31 days', '8 days'),
      ];
      const event = await insertEvent(workers.owner, { createdById: creator });
      await workers.owner.query(
        'INSERT INTO events.event_registrations (id, event_id, user_id) VALUES (gen_random_uuid(), $1, $2)',
        [event.id, registered],
      );
      await workers.owner.query('UPDATE auth.users SET email_verified_at = now() WHERE id = $1', [verified]);
      await cleanUp();
      for (const id of [administrator, registered, creator, verified]) expect(await stands(id)).toBe(true);
      expect(await warnings()).toEqual([]);
    });
  });

  it.each(['auth', 'events'])(
    'removes pictures of %s that nothing shows, a day after they came',
    async (schema) => {
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
      // it keeps those of galleries as well, but a batch that it shortens ends the work early: the collector asks for none of them
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
    },
  );

  it.each(['auth', 'events'])(
    'removes rows of the outbox of %s a week after they are done or given up, and none that no worker has had yet',
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

  it.each(['auth', 'events'])('keeps what %s asked to be audited until it is done', async (schema) => {
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

  it('keeps the newest security events of each kind, however many there are of another or of no account', async () => {
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
      { kind: 'locked-out', count: 6_666, oldest: 6_666 },
      { kind: 'locked-out', count: 60_000, oldest: 60_000 },
      { kind: 'sign-in', count: 5, oldest: 5 },
    ]);
    await owner.query('TRUNCATE gateway.security_events');
  });

  it('removes entries of the audit log when the installation keeps them no longer', async () => {
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

  it('removes what calendars no longer need to hear of', async () => {
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

  it('goes through more rows than it removes at once', async () => {
    await workers.owner.query(
      `INSERT INTO gateway.sessions (sid, sess, expire, user_id)
       SELECT 'many' || n, '{}', now() - interval '1 minute', $1 FROM generate_series(1, 2500) n`,
      [userId],
    );
    await cleanUp();
    expect(await left('gateway.sessions', 'sid')).toEqual(['young']);
  });

  it('does the other parts when one of them fails, and says so', async () => {
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
