import { RESERVED_SLUGS } from '@meetmark/contracts';
import type { EventPage, Identity } from '@meetmark/contracts';
import { outcomes } from '@meetmark/testing';
import { insertEvent } from '@meetmark/testing/factories/events';
import spell from 'any-ascii';
import fc from 'fast-check';
import { v7 as uuid } from 'uuid';
import { addressesOf } from '../migrations/1795759500000-short-addresses.js';
import { CalendarService } from '../calendar/calendar.service.js';
import { eventsForTests } from '../testing/open-events.js';
import { EventEditingService } from './event-editing.service.js';
import { EventLifeService } from './event-life.service.js';
import { EventsService } from './events.service.js';

const RANDOM_ENDING = /-[a-z0-9]{8}$/;

describe('the short address of an event', () => {
  const events = eventsForTests();
  let life: EventLifeService;
  let service: EventsService;
  let admin: Identity;
  beforeAll(() => {
    life = events.get(EventLifeService);
    service = events.get(EventsService);
  });
  beforeEach(async () => {
    await events.empty();
    admin = await events.administrator();
  });

  const insert = (given: Parameters<typeof insertEvent>[1] = {}) =>
    insertEvent(events.owner, { createdById: admin.sub, ...given });
  const slugOf = async (id: string): Promise<string | null> => (await service.get(id, admin)).slug;
  const published = async (given: Parameters<typeof insertEvent>[1]) => slugOf((await insert(given)).id);
  const name = (id: string, slug: string): Promise<EventPage> =>
    life.changeSlug(admin, { eventId: id, slug });

  const startDate = new Date('2031-05-01T17:00:00Z');
  const TITLES: [string, string][] = [
    ['SEO Breakfast', 'seo-breakfast'],
    ["Women's Lunch: Q&A!", 'womens-lunch-q-a'],
    ['Gründertreffen Köln, Große Straße', 'gruendertreffen-koeln-grosse-strasse'],
    ['Gru\u0308ndertreffen', 'gruendertreffen'],
    ['Soirée à Orléans', 'soiree-a-orleans'],
    ['Москва: встреча', 'moskva-vstrecha'],
    ['Ελλάδα', 'ellada'],
    ['北京 Meetup', 'beijing-meetup'],
    ['서울 모임', 'seoul-moim'],
    ['हिन्दी', 'hindi'],
    ['🎉 Party 🎉', 'party'],
    ['𝗕𝗼𝗹𝗱 move', 'bold-move'],
    ['🎉🎉', '2031-05-01-1'],
    ['—', '2031-05-01-1'],
    ['AI', 'ai-1'],
    ['Admin', 'admin-1'],
    ['2031-05-01', '2031-05-01-1'],
    [`${'word '.repeat(13)}seventyone`, `${'word-'.repeat(13).slice(0, -1)}`],
    ['x'.repeat(255), 'x'.repeat(71)],
  ];

  it.each(TITLES)('of %j is %j', async (title, slug) => {
    expect(await published({ title, startDate })).toBe(slug);
  });

  it('is given by the migration as by the triggers', async () => {
    const sameWords = async (title: string) => {
      const { rows } = await events.owner.query<{ words: string; reserved: boolean }>(
        'SELECT events.slug_words($1) AS words, events.is_reserved_slug(events.slug_words($1)) AS reserved',
        [title],
      );
      const [{ words, reserved }] = rows as [{ words: string; reserved: boolean }];
      const [given] = addressesOf([{ id: uuid(), title, visibility: 'public', date: 'no-words' }], spell);
      expect({ title, words: given!.words, alone: given!.slug === given!.words }).toEqual({
        title,
        words: words || 'no-words',
        alone: words.length !== 1 && words.length !== 2 && !reserved && !/^\d{4}-\d\d-\d\d$/.test(words),
      });
    };
    for (const title of [...TITLES.map(([each]) => each), ...RESERVED_SLUGS]) await sameWords(title);
    const title = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 });
    const stored = title.filter((each) => !each.includes('\0'));
    await fc.assert(fc.asyncProperty(stored, sameWords), { numRuns: 300 });
  });

  it('takes the next number where it was used before, also by an event that is deleted', async () => {
    const { id } = await insert({ title: 'SEO Breakfast' });
    expect(await published({ title: 'SEO breakfast' })).toBe('seo-breakfast-2');
    expect(await published({ title: 'SEO Breakfast 3' })).toBe('seo-breakfast-3');
    await events.get(EventEditingService).delete(admin, id);
    expect(await published({ title: 'SEO Breakfast!' })).toBe('seo-breakfast-4');
    await expect(service.find('seo-breakfast')).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
  });

  it('numbers those of one title that come at the same moment', async () => {
    const slugs = await Promise.all(Array.from({ length: 10 }, () => published({ title: 'Rush hour' })));
    expect(new Set(slugs).size).toBe(10);
    for (const slug of slugs) expect(slug).toMatch(/^rush-hour(-\d+)?$/);
  });

  it('comes with the publication and stays when the title changes', async () => {
    const { id } = await insert({ title: 'Before', status: 'draft' });
    expect(await slugOf(id)).toBeNull();
    await expect(name(id, 'mine')).rejects.toMatchObject({ code: 'EVENT_NOT_PUBLISHED' });
    // as 1.0.0 and the worker do
    await events.owner.query(
      "UPDATE events.events SET title = 'At last', status = 'published' WHERE id = $1",
      [id],
    );
    expect(await slugOf(id)).toBe('at-last');
    await events.owner.query("UPDATE events.events SET title = 'Renamed' WHERE id = $1", [id]);
    expect(await slugOf(id)).toBe('at-last');
    await life.cancel(admin, { eventId: id });
    expect(await service.find('at-last')).toEqual({ id, slug: 'at-last' });
  });

  /** What a change answers, too: who lets visitors see them is said where one reads. */
  const present = async (id: string) => {
    const { publicAttendees: _, ...page } = await service.get(id, admin);
    return page;
  };

  it('is changed by who manages the event, on the record, and every earlier one leads to it', async () => {
    const { id } = await insert({ title: 'SEO Breakfast' });
    const before = await present(id);
    const after = await name(id, 'breakfast');
    expect(after).toEqual({ ...before, slug: 'breakfast', updatedAt: after.updatedAt });
    await name(id, 'brunch');
    for (const slug of ['seo-breakfast', 'breakfast', 'brunch'])
      expect(await service.find(slug)).toEqual({ id, slug: 'brunch' });
    expect((await name(id, 'seo-breakfast')).slug).toBe('seo-breakfast');
    const { rows } = await events.owner.query(
      "SELECT payload -> 'values' -> 'slug' AS slug FROM events.outbox WHERE payload ->> 'action' = 'event.updated' ORDER BY id",
    );
    expect(rows.map(({ slug }: { slug: unknown }) => slug)).toEqual([
      { before: 'seo-breakfast', after: 'breakfast' },
      { before: 'breakfast', after: 'brunch' },
      { before: 'brunch', after: 'seo-breakfast' },
    ]);
    const { rows: told } = await events.owner.query(
      "SELECT job FROM events.outbox WHERE job <> 'audit.record'",
    );
    expect(told).toEqual([]);
  });

  it('lets 1.0.0 list topics, whose statement says `slug` without saying whose', async () => {
    await insert();
    const ofThatVersion = `SELECT topic.id, slug, name, count(event.id)::integer AS upcoming
      FROM events.topics AS topic LEFT JOIN events.event_topics AS about ON about.topic_id = topic.id
      LEFT JOIN events.events AS event ON event.id = about.event_id
        AND event.status = 'published' AND event.visibility = 'public' AND event.start_date >= now()
      GROUP BY topic.id ORDER BY lower(name)`;
    expect((await events.owner.query(ofThatVersion)).rows).toEqual(expect.any(Array));
  });

  it('does not change by being asked for once more', async () => {
    const { id } = await insert({ title: 'SEO Breakfast' });
    const before = await present(id);
    expect(await name(id, 'seo-breakfast')).toEqual(before);
  });

  it('stands in the calendar, whose entry keeps its UID and SEQUENCE', async () => {
    const { id } = await insert({ title: 'SEO Breakfast' });
    const calendar = events.get(CalendarService);
    const lines = async (make: () => Promise<{ ics: string }>) =>
      (await make()).ics.split('\r\n').filter((line) => /^(UID|SEQUENCE|URL)/.test(line));
    const [uid, sequence] = [`UID:${id}@meetmark`, 'SEQUENCE:0'];
    const of = (slug: string) => [uid, sequence, `URL;VALUE=URI:https://meetmark.example/e/${slug}`];
    expect(await lines(() => calendar.ofEverything())).toEqual(of('seo-breakfast'));
    await name(id, 'brunch');
    expect(await lines(() => calendar.ofEverything())).toEqual(of('brunch'));
    expect(await lines(() => calendar.ofEvent(id))).toEqual(of('brunch'));
  });

  it('is one of two who take it at the same moment', async () => {
    const rivals = await Promise.all(
      ['One', 'Two', 'Three'].map(async (title) => (await insert({ title })).id),
    );
    expect(await outcomes(rivals.map((id) => name(id, 'wanted')))).toEqual({ ok: 1, SLUG_TAKEN: 2 });
  });

  it('is never one that another event has or had', async () => {
    const [one, other] = [await insert({ title: 'One of them' }), await insert({ title: 'Another' })];
    await name(one.id, 'elsewhere');
    for (const slug of ['one-of-them', 'elsewhere'])
      await expect(name(other.id, slug)).rejects.toMatchObject({
        code: 'SLUG_TAKEN',
        details: { fields: { slug: [expect.any(String)] } },
      });
    await events.get(EventEditingService).delete(admin, one.id);
    await expect(name(other.id, 'elsewhere')).rejects.toMatchObject({ code: 'SLUG_TAKEN' });
    expect(await slugOf(other.id)).toBe('another');
  });

  describe('of an unlisted event', () => {
    it('ends in 8 random characters, whoever names it and whenever it became unlisted', async () => {
      const slugs = await Promise.all(
        [1, 2].map(() => published({ title: 'Board', visibility: 'unlisted' })),
      );
      expect(slugs[0]).not.toBe(slugs[1]);
      for (const slug of slugs) expect(slug).toMatch(/^board-[a-z0-9]{8}$/);

      const { id } = await insert({ title: 'Open house' });
      await events.owner.query("UPDATE events.events SET visibility = 'unlisted' WHERE id = $1", [id]);
      expect(await slugOf(id)).toMatch(/^open-house-[a-z0-9]{8}$/);
      await events.owner.query("UPDATE events.events SET visibility = 'public' WHERE id = $1", [id]);
      expect(await slugOf(id)).toMatch(/^open-house-[a-z0-9]{8}$/);
    });

    it('keeps its ending where its organiser does, and gets a new one where not', async () => {
      const { id } = await insert({ title: 'Board', visibility: 'unlisted' });
      const [ending] = RANDOM_ENDING.exec((await slugOf(id))!)!;
      expect((await name(id, `council${ending}`)).slug).toBe(`council${ending}`);
      const { slug } = await name(id, 'council');
      expect(slug).toMatch(/^council-[a-z0-9]{8}$/);
      expect(slug).not.toBe(`council${ending}`);
      const { slug: longest } = await name(id, 'x'.repeat(71));
      expect(longest).toMatch(/^x{71}-[a-z0-9]{8}$/);
      await expect(name(id, 'x'.repeat(72))).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        details: { fields: { slug: [expect.stringContaining('9 characters')] } },
      });
      // the unlisted event never had it without an ending, so another event may
      expect((await name((await insert({ title: 'Open' })).id, 'council')).slug).toBe('council');
    });
  });

  it.each([
    ["UPDATE events.events SET event_slug = 'nobodys' WHERE id = $1", 'events_event_slug_fkey'],
    [
      'UPDATE events.events SET event_slug = (SELECT slug FROM events.slugs WHERE event_id <> $1) WHERE id = $1',
      'events_event_slug_fkey',
    ],
    ["INSERT INTO events.slugs (slug, event_id) VALUES ('other', $1)", 'slugs_pkey'],
    ["INSERT INTO events.slugs (slug, event_id) VALUES ('admin', $1)", 'slugs_reserved_check'],
    ["INSERT INTO events.slugs (slug, event_id) VALUES ('ab', $1)", 'slugs_slug_check'],
    ["INSERT INTO events.slugs (slug, event_id) VALUES (repeat('x', 81), $1)", 'slugs_slug_check'],
    ["INSERT INTO events.slugs (slug, event_id) VALUES ('No', $1)", 'slugs_slug_check'],
    ["INSERT INTO events.slugs (slug, event_id) VALUES ('-no', $1)", 'slugs_slug_check'],
    ["INSERT INTO events.slugs (slug, event_id) VALUES ('no-', $1)", 'slugs_slug_check'],
    [
      "INSERT INTO events.slugs (slug, event_id, is_random) VALUES ('words-short', $1, true)",
      'slugs_is_random_check',
    ],
  ])('is judged by the database: %s', async (statement, constraint) => {
    await insert({ title: 'Other' });
    const { id } = await insert({ title: 'Mine' });
    await expect(events.owner.query(statement, [id])).rejects.toMatchObject({ constraint });
  });

  it('is none of a draft, which is judged by the database too', async () => {
    const { id } = await insert({ status: 'draft' });
    await events.owner.query("INSERT INTO events.slugs (slug, event_id) VALUES ('early', $1)", [id]);
    await expect(
      events.owner.query("UPDATE events.events SET event_slug = 'early' WHERE id = $1", [id]),
    ).rejects.toMatchObject({ constraint: 'events_event_slug_check' });
  });
});
