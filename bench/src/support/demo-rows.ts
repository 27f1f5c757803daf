import type pg from 'pg';

/** Rows per statement. Each event and member takes a lock, and PostgreSQL's lock table is limited. */
const BATCH = 2_000;

export async function insertEvents(owner: pg.Pool, count: number, createdById: string): Promise<void> {
  for (let made = 0; made < count; made += BATCH)
    await owner.query(
      `INSERT INTO events.events
         (id, title, description, location, start_date, end_date, capacity, price, created_by_id)
       SELECT gen_random_uuid(), 'Search marketing meetup ' || n, repeat('What we learned this quarter. ', 8),
         'The Print Works, Leeds', now() + (n - $1::integer / 2) * interval '1 hour',
         now() + (n - $1::integer / 2 + 2) * interval '1 hour', 40, CASE WHEN n % 3 = 0 THEN 12.50 END, $4
       FROM generate_series($2::integer, $3::integer) AS n`,
      [count, made + 1, Math.min(made + BATCH, count), createdById],
    );
}

export async function insertMembers(owner: pg.Pool, count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const { rows } = await owner.query<{ id: string }>(
      `INSERT INTO auth.users (id, email, password_hash, first_name, last_name, email_verified_at)
       SELECT gen_random_uuid(), 'bench-' || gen_random_uuid() || '@example.com', '$argon2id$unusable', 'Bench', 'Member', now()
       FROM generate_series(1, $1::integer) AS n RETURNING id`,
      [Math.min(BATCH, count - ids.length)],
    );
    ids.push(...rows.map((row) => row.id));
  }
  return ids;
}

export async function insertPlaces(owner: pg.Pool, eventId: string, members: string[]): Promise<void> {
  await owner.query(
    `INSERT INTO events.event_registrations (id, event_id, user_id)
     SELECT gen_random_uuid(), $1, id FROM unnest($2::uuid[]) AS id`,
    [eventId, members],
  );
}

/**
 * Adds accounts that copy the password hash of the account with id `of`, so that only one password is hashed.
 */
export async function insertCopies(
  owner: pg.Pool,
  of: string,
  count: number,
  isAdmin: boolean,
): Promise<{ id: string; email: string }[]> {
  const { rows } = await owner.query<{ id: string; email: string }>(
    `INSERT INTO auth.users (id, email, password_hash, first_name, last_name, is_admin, email_verified_at)
     SELECT gen_random_uuid(), 'member-' || gen_random_uuid() || '@example.org', password_hash, 'Bench', 'Member', $3, now()
     FROM auth.users, generate_series(1, $2::integer) WHERE id = $1 RETURNING id, email`,
    [of, count, isAdmin],
  );
  return rows;
}

export async function insertAuditLines(owner: pg.Pool, count: number, actorId: string): Promise<void> {
  await owner.query(
    `INSERT INTO admin.audit_log (id, action, actor_id, subject_id, subject_name, at)
     SELECT gen_random_uuid(), 'event.created', $2, gen_random_uuid(), 'Search marketing meetup ' || n,
       now() - n * interval '1 minute'
     FROM generate_series(1, $1::integer) AS n`,
    [count, actorId],
  );
}
