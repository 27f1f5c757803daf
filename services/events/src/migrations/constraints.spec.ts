import { randomBytes, randomUUID } from 'node:crypto';
import type { CoverCrop } from '@meetmark/contracts';
import { testDatabase, type TestDatabase } from '@meetmark/testing';
import { insertEvent, insertRegistration, type EventRow } from '@meetmark/testing/factories/events';
import { insertUser } from '@meetmark/testing/factories/users';
import pg from 'pg';

const start = new Date('2031-05-01T17:00:00Z');

describe('database constraints', () => {
  let database: TestDatabase;
  let owner: pg.Pool;
  let createdById: string;
  beforeAll(async () => {
    database = await testDatabase();
    owner = new pg.Pool({ connectionString: database.url, max: 2 });
    createdById = (await insertUser(owner)).id;
  });
  afterAll(async () => {
    await owner.end();
    await database.drop();
  });

  it.each<[Partial<EventRow>, string]>([
    [{ title: '' }, 'events_title_check'],
    [{ title: 'x'.repeat(256) }, 'events_title_check'],
    [{ description: 'x'.repeat(10_001) }, 'events_description_check'],
    [{ location: 'x'.repeat(256) }, 'events_location_check'],
    [{ endDate: start }, 'events_dates_check'],
    [{ endDate: new Date(start.getTime() - 1) }, 'events_dates_check'],
    [{ capacity: 0 }, 'events_capacity_check'],
    [{ capacity: -1 }, 'events_capacity_check'],
    [{ price: '0' }, 'events_price_check'],
    [{ price: '-1' }, 'events_price_check'],
    [{ price: '1000000.01' }, 'events_price_check'],
    [{ format: 'remote' as 'online' }, 'events_format_check'],
    [{ status: 'hidden' as 'draft' }, 'events_status_check'],
    [{ visibility: 'secret' as 'public' }, 'events_visibility_check'],
    [{ publishAt: start }, 'events_publish_at_check'],
    [{ registrationOpensAt: start, registrationClosesAt: start }, 'events_registration_window_check'],
    [{ status: 'cancelled', cancelledAt: null }, 'events_cancelled_check'],
    [{ cancelledAt: start }, 'events_cancelled_check'],
    [{ cancelReason: 'Rain' }, 'events_cancel_reason_check'],
    [{ status: 'cancelled', cancelReason: '' }, 'events_cancel_reason_check'],
    [{ status: 'cancelled', cancelReason: 'x'.repeat(501) }, 'events_cancel_reason_check'],
    [{ descriptionFormat: 'html' as 'plain' }, 'events_description_format_check'],
    [{ coverPattern: 0 }, 'events_cover_pattern_check'],
    [{ coverPattern: 9 }, 'events_cover_pattern_check'],
    [{ coverSquare: { x: 1.1, y: 0, zoom: 1 } }, 'events_cover_square_check'],
    [{ coverSquare: { x: 0, y: 0, zoom: 0 } }, 'events_cover_square_check'],
    [{ coverSquare: { x: 0, y: 0 } as CoverCrop }, 'events_cover_square_check'],
    [{ coverWide: { x: '0', y: 0, zoom: 1 } as unknown as CoverCrop }, 'events_cover_wide_check'],
    [{ coverWide: { x: 0, y: -0.1, zoom: 1 } }, 'events_cover_wide_check'],
    [{ coverWide: { x: 0, y: [0], zoom: 1 } as unknown as CoverCrop }, 'events_cover_wide_check'],
    [{ coverWide: { x: 0, y: 0, zoom: 1, more: 'x'.repeat(70) } as CoverCrop }, 'events_cover_wide_check'],
    [{ paymentNote: '' }, 'events_payment_note_check'],
    [{ paymentNote: 'x'.repeat(301) }, 'events_payment_note_check'],
    [{ timeZone: '' }, 'events_time_zone_check'],
    [{ timeZone: '+05:00' }, 'events_time_zone_check'],
    [{ timeZone: 'Europe/Paris\nX' }, 'events_time_zone_check'],
    [{ timeZone: `A/${'x'.repeat(63)}` }, 'events_time_zone_check'],
  ])('reject an event with %j', async (given, constraint) => {
    await expect(insertEvent(owner, { createdById, startDate: start, ...given })).rejects.toMatchObject({
      constraint,
    });
  });

  it.each<Partial<EventRow>>([
    { title: 'x' },
    { coverPattern: 1, coverSquare: { x: 0, y: 1, zoom: 1 }, coverWide: { x: 0.1234, y: 0.1234, zoom: 3 } },
    { coverPattern: 8 },
    { title: '🎉'.repeat(255) },
    { endDate: new Date(start.getTime() + 1) },
    { capacity: 1 },
    { price: '0.01' },
    { price: '1000000' },
    { format: 'online' },
    { format: 'hybrid' },
    { status: 'draft', publishAt: start },
    { visibility: 'unlisted' },
    { registrationOpensAt: new Date(start.getTime() - 1), registrationClosesAt: start },
    { status: 'cancelled', cancelReason: 'x'.repeat(500) },
    { descriptionFormat: 'markdown', paymentNote: '🎉'.repeat(300) },
    { timeZone: 'America/Argentina/ComodRivadavia' },
    { timeZone: `A/${'x'.repeat(62)}` },
  ])('accept an event at the limit: %j', async (given) => {
    await insertEvent(owner, { createdById, startDate: start, ...given });
  });

  type Columns = Record<string, unknown>;
  const DEFAULTS: Record<string, () => Columns> = {
    event_contents: () => ({}),
    event_people: () => ({ position: 0 }),
    event_previews: () => ({ created_by_id: createdById }),
    event_registrations: () => ({ id: randomUUID() }),
    host_messages: () => ({
      ...{ id: randomUUID(), host_id: createdById, writer_hash: randomBytes(32) },
      ...{ name: 'Ada', email: 'a@b.co', body: 'Is there parking?' },
    }),
  };
  /** @param columns values by SQL column name; `member` stands for the id of a member; omitted columns are null */
  const insertRow = async (table: string, { member, ...columns }: Columns) => {
    const { id } = await insertEvent(owner, { createdById });
    const user = member === true ? { user_id: createdById } : {};
    const row = { event_id: id, ...DEFAULTS[table]!(), ...user, ...columns };
    const values = Object.values(row).map((value) => (Array.isArray(value) ? JSON.stringify(value) : value));
    await owner.query(
      `INSERT INTO events.${table} (${Object.keys(row).join(', ')})
       VALUES (${values.map((_, index) => `$${index + 1}`).join(', ')})`,
      values,
    );
  };
  const url = (length: number) => `https://x.example/${'x'.repeat(length - 18)}`;

  const REJECTED: Record<string, [Columns, constraint: string][]> = {
    event_contents: [
      [{ venue_address: 'Leeds' }, 'event_contents_venue_check'],
      [{ venue_note: 'Ring' }, 'event_contents_venue_check'],
      [{ venue_map_url: 'https://map.example' }, 'event_contents_venue_check'],
      [{ venue_name: '' }, 'event_contents_venue_name_check'],
      [{ venue_name: 'x'.repeat(151) }, 'event_contents_venue_name_check'],
      [{ venue_name: 'x', venue_address: 'x'.repeat(256) }, 'event_contents_venue_address_check'],
      [{ venue_name: 'x', venue_note: 'x'.repeat(501) }, 'event_contents_venue_note_check'],
      [{ venue_name: 'x', venue_map_url: 'javascript:alert(1)' }, 'event_contents_venue_map_url_check'],
      [{ venue_name: 'x', venue_map_url: url(1_001) }, 'event_contents_venue_map_url_check'],
      [{ online_url: 'http://meet.example' }, 'event_contents_online_url_check'],
      [{ online_url: url(1_001) }, 'event_contents_online_url_check'],
      [{ online_note: 'x'.repeat(501) }, 'event_contents_online_note_check'],
      [{ agenda: Array.from({ length: 51 }, () => ({})) }, 'event_contents_agenda_check'],
      [{ agenda: '{}' }, 'event_contents_agenda_check'],
      [{ resources: Array.from({ length: 21 }, () => ({})) }, 'event_contents_resources_check'],
      [{ resources: '"x"' }, 'event_contents_resources_check'],
      [{ recap: 'x'.repeat(10_001) }, 'event_contents_recap_check'],
      [{ accessibility: '' }, 'event_contents_accessibility_check'],
      [{ accessibility: 'x'.repeat(501) }, 'event_contents_accessibility_check'],
    ],
    event_people: [
      [{ role: 'guest', member: true }, 'event_people_role_check'],
      [{ role: 'host', position: 10, member: true }, 'event_people_position_check'],
      [{ role: 'speaker', position: 30, name: 'x' }, 'event_people_position_check'],
      [{ role: 'speaker', position: -1, name: 'x' }, 'event_people_position_check'],
      [{ role: 'speaker' }, 'event_people_name_check'],
      [{ role: 'speaker', name: 'x', member: true }, 'event_people_name_check'],
      [{ role: 'speaker', name: '' }, 'event_people_name_check'],
      [{ role: 'speaker', name: 'x'.repeat(101) }, 'event_people_name_check'],
      [{ role: 'host', name: 'x' }, 'event_people_host_check'],
      [{ role: 'host', title: 'x', member: true }, 'event_people_host_check'],
      [{ role: 'host', bio: 'x', member: true }, 'event_people_host_check'],
      [{ role: 'speaker', link_url: url(50), member: true }, 'event_people_member_check'],
      [{ role: 'speaker', name: 'x', agreed_at: start }, 'event_people_agreed_check'],
      [{ role: 'speaker', name: 'x', title: 'x'.repeat(151) }, 'event_people_title_check'],
      [{ role: 'speaker', name: 'x', bio: 'x'.repeat(1_001) }, 'event_people_bio_check'],
      [{ role: 'speaker', name: 'x', link_url: 'javascript:alert(1)' }, 'event_people_link_url_check'],
      [{ role: 'speaker', name: 'x', link_url: url(1_001) }, 'event_people_link_url_check'],
      [{ role: 'host', user_id: randomUUID() }, 'event_people_user_id_fkey'],
    ],
    event_previews: [[{ token_hash: Buffer.from('secret') }, 'event_previews_token_hash_check']],
    event_registrations: [
      [{ member: true, status: 'maybe' }, 'event_registrations_status_check'],
      [{ member: true, show_me: 'all' }, 'event_registrations_show_me_check'],
      [{ guest_name: 'Ada', show_me: 'public' }, 'event_registrations_guest_check'],
    ],
    host_messages: [
      [{ writer_hash: Buffer.from('a@b.co') }, 'host_messages_writer_hash_check'],
      [{ name: '' }, 'host_messages_name_check'],
      [{ name: 'x'.repeat(202) }, 'host_messages_name_check'],
      [{ email: 'ab' }, 'host_messages_email_check'],
      [{ email: 'x'.repeat(256) }, 'host_messages_email_check'],
      [{ body: 'x'.repeat(9) }, 'host_messages_body_check'],
      [{ body: 'x'.repeat(2_001) }, 'host_messages_body_check'],
      [{ body: null }, 'host_messages_forgotten_check'],
      [{ email: null, name: null }, 'host_messages_forgotten_check'],
      [{ writer_id: randomUUID() }, 'host_messages_writer_id_fkey'],
    ],
  };
  it.each(
    Object.entries(REJECTED).flatMap(([table, rows]) =>
      rows.map(([columns, constraint]) => [table, columns, constraint] as const),
    ),
  )('reject a row of %s with %j', async (table, columns, constraint) => {
    await expect(insertRow(table, columns)).rejects.toMatchObject({ constraint });
  });

  const ACCEPTED: Record<string, Columns[]> = {
    event_contents: [
      {},
      { venue_name: '🎉'.repeat(150), venue_address: 'x'.repeat(255), venue_note: 'x'.repeat(500) },
      { venue_name: 'x', venue_map_url: 'http://map.example' },
      { venue_name: 'x', venue_map_url: url(1_000) },
      { online_url: url(1_000), online_note: 'x'.repeat(500) },
      { agenda: Array.from({ length: 50 }, () => ({})), resources: Array.from({ length: 20 }, () => ({})) },
      { recap: 'x'.repeat(10_000), accessibility: '♿'.repeat(500) },
    ],
    event_people: [
      { role: 'host', position: 9, member: true, agreed_at: start },
      { role: 'speaker', position: 29, member: true, title: 'x'.repeat(150), bio: 'x'.repeat(1_000) },
      { role: 'speaker', position: 0, name: '🎉'.repeat(100), link_url: url(1_000) },
    ],
    event_registrations: [{ member: true, show_me: 'public' }],
    host_messages: [
      { name: '🎉'.repeat(201), email: 'x'.repeat(255), body: 'x'.repeat(2_000) },
      { name: 'x', email: 'a@b', body: 'x'.repeat(10) },
      { name: null, email: null, body: null },
    ],
  };
  it.each(
    Object.entries(ACCEPTED).flatMap(([table, rows]) => rows.map((columns) => [table, columns] as const)),
  )('accept a row of %s at the limit: %j', async (table, columns) => {
    await insertRow(table, columns);
  });

  describe('for galleries', () => {
    const item = { id: randomUUID(), hash: 'a'.repeat(64), alt: 'The hall' };
    const store = async (gallery: unknown) => {
      const { id } = await insertEvent(owner, { createdById });
      return owner.query('UPDATE events.events SET gallery_pictures = $1 WHERE id = $2', [
        JSON.stringify(gallery),
        id,
      ]);
    };

    it.each<unknown>([
      {},
      'x',
      null,
      [null],
      [[item]],
      Array.from({ length: 9 }, () => item),
      [item, { ...item, id: 'one' }],
      [{ ...item, hash: 'A'.repeat(64) }],
      [{ ...item, alt: '' }],
      [{ ...item, alt: 'x'.repeat(251) }],
      [{ ...item, alt: 'two\nlines' }],
      [{ ...item, alt: [item.alt] }],
      [{ id: item.id, hash: item.hash }],
      [{ ...item, more: 'x'.repeat(20_000) }],
    ])('reject the gallery %j', async (gallery) => {
      await expect(store(gallery)).rejects.toMatchObject({ constraint: 'events_gallery_pictures_check' });
    });

    it('accept a gallery at the limit', async () => {
      await store([]);
      await store(Array.from({ length: 8 }, () => ({ ...item, alt: '"'.repeat(250) })));
      await store([{ ...item, alt: '♿'.repeat(250) }]);
    });
  });

  it('reject a duplicate member in a role, but accept speakers with the same name', async () => {
    const { id: event_id } = await insertEvent(owner, { createdById });
    const named = (position: number, who: Columns) =>
      insertRow('event_people', { event_id, role: 'speaker', position, ...who });
    await named(0, { member: true });
    await named(1, { name: 'Ada' });
    await named(2, { name: 'Ada' });
    await expect(named(3, { member: true })).rejects.toMatchObject({ constraint: 'event_people_key' });
  });

  it.each<[table: string, Columns, constraint: string]>([
    ['event_contents', {}, 'event_contents_pkey'],
    ['event_registrations', { member: true }, 'event_registrations_event_id_user_id_key'],
  ])('reject a second row of %s for the same event and member', async (table, columns, constraint) => {
    const { id: event_id } = await insertEvent(owner, { createdById });
    await insertRow(table, { event_id, ...columns });
    await expect(insertRow(table, { event_id, ...columns })).rejects.toMatchObject({ constraint });
  });

  it('make a new event in-person and without a waiting list by default', async () => {
    const { rows } = await owner.query(
      `INSERT INTO events.events (id, title, start_date, end_date, created_by_id)
       VALUES (gen_random_uuid(), 'x', now(), now() + interval '1 hour', $1) RETURNING format, waitlist_enabled`,
      [createdById],
    );
    expect(rows).toEqual([{ format: 'in_person', waitlist_enabled: false }]);
  });

  it.each([
    ['draft', 'cancelled', false],
    ['draft', 'published', true],
    ['published', 'draft', false],
    ['published', 'cancelled', true],
    ['cancelled', 'draft', false],
    ['cancelled', 'published', false],
  ] as const)(
    'allow a status to change from %s to %s only if that is forward: %s',
    async (from, to, forward) => {
      const { id } = await insertEvent(owner, { createdById, status: from });
      const change = owner.query(
        `UPDATE events.events SET status = $2, cancelled_at = CASE WHEN $2 = 'cancelled' THEN now() END WHERE id = $1`,
        [id, to],
      );
      if (forward) await change;
      else await expect(change).rejects.toMatchObject({ constraint: 'events_status_forward_check' });
    },
  );

  it('reject a registration for a draft or a cancelled event', async () => {
    for (const status of ['draft', 'cancelled'] as const) {
      const { id: eventId } = await insertEvent(owner, { createdById, status });
      for (const given of ['registered', 'waitlisted'] as const)
        await expect(
          insertRegistration(owner, { eventId, userId: createdById, status: given }),
        ).rejects.toMatchObject({ constraint: 'event_registrations_published_check' });
    }
  });

  it.each([
    ["UPDATE events.events SET end_date = 'infinity' WHERE created_by_id = $1", 'events_dates_finite_check'],
    ["UPDATE auth.users SET show_me = 'public' WHERE id = $1", 'users_show_me_check'],
  ])('reject %s for the owner of an event', async (statement, constraint) => {
    const { id } = await insertUser(owner);
    await insertEvent(owner, { createdById: id });
    await expect(owner.query(statement, [id])).rejects.toMatchObject({ constraint });
  });

  it.each([
    ['meetmark_events', 'SELECT email FROM auth.users'],
    ['meetmark_events', 'ALTER TABLE events.events ADD COLUMN x int'],
    ['meetmark_events', 'DELETE FROM events.outbox'],
    ['meetmark_worker', 'UPDATE events.events SET title = title'],
    ['meetmark_worker', 'DELETE FROM events.event_registrations'],
    ['meetmark_worker', 'SELECT bytes FROM events.pictures'],
    ['meetmark_worker', 'UPDATE events.host_messages SET host_id = host_id'],
    ['meetmark_events', 'UPDATE events.host_messages SET body = body'],
    ['meetmark_admin', 'SELECT body FROM events.host_messages'],
    ['meetmark_admin', 'SELECT payload FROM events.outbox'],
    ['meetmark_gateway', 'SELECT id FROM events.events'],
    ['meetmark_auth', 'SELECT id FROM events.events'],
  ])('prevent the role %s from running %s', async (role, statement) => {
    const client = new pg.Client(database.urlFor(role));
    await client.connect();
    await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
    await client.end();
  });
});
