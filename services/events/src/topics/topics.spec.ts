import {
  type CreateEventRequest,
  type Identity,
  RecordAudit,
  SendAnnouncement,
  type Topic,
  type UpdateEventRequest,
} from '@meetmark/contracts';
import { refuses } from '@meetmark/platform/testing/test-service';
import { outcomes } from '@meetmark/testing';
import { daysFromNow, insertEvent } from '@meetmark/testing/factories/events';
import { v7 as uuid } from 'uuid';
import { CalendarService } from '../calendar/calendar.service.js';
import { EventEditingService } from '../events/core/event-editing.service.js';
import { EventLifeService } from '../events/core/event-life.service.js';
import { EventsService } from '../events/core/events.service.js';
import { createCall, eventForm, eventsForTests, inject, UNKNOWN } from '../testing/open-events.js';
import { TopicsService } from './topics.service.js';

describe('topics', () => {
  const events = eventsForTests();
  const service = inject(events, TopicsService);
  const editing = inject(events, EventEditingService);
  let owner: Identity;
  beforeEach(async () => {
    await events.empty();
    await events.owner.query('TRUNCATE events.topics CASCADE');
    owner = await events.administrator();
  });

  const add = (name: string, slug?: string) => service.create({ id: uuid(), name, slug }, createCall(owner));
  const about = async (eventId: string, ...topics: Topic[]) => {
    for (const [index, { id }] of topics.entries())
      await events.owner.query(
        'INSERT INTO events.event_topics (event_id, topic_id, position) VALUES ($1, $2, $3)',
        [eventId, id, index + 1],
      );
  };
  const listed = async () => (await service.list()).map(({ name, upcoming }) => `${name} ${upcoming}`);
  const create = (given: Partial<CreateEventRequest> = {}) =>
    editing.create(eventForm(given), createCall(owner));
  const make = (topics: Topic[]) => create({ topics: topics.map(({ id }) => id) });
  const update = (eventId: string, given: Omit<UpdateEventRequest, 'eventId' | 'banner'>) =>
    editing.update({ eventId, banner: { action: 'keep' }, ...given }, createCall(owner));
  const getEvent = (eventId: string) => events.get(EventsService).get({ eventId }, createCall(null));

  it('derives a slug from the name unless one is given, and rejects duplicates', async () => {
    expect(await add('Búsqueda & SEO')).toMatchObject({ name: 'Búsqueda & SEO', slug: 'busqueda-seo' });
    expect(await add('Paid search', 'ppc')).toMatchObject({ slug: 'ppc' });
    expect(await outcomes([add('paid SEARCH'), add('Something else', 'ppc'), add('検索')])).toEqual({
      TOPIC_EXISTS: 2,
      VALIDATION_FAILED: 1,
    });
    const audited = (await events.outbox(RecordAudit)).map(({ subjectName }) => subjectName);
    expect(audited).toEqual(['Búsqueda & SEO', 'Paid search']);
  });

  it('limits a community to twelve topics, even when many are added simultaneously', async () => {
    const names = Array.from({ length: 20 }, (_, n) => `Topic ${n}`);
    expect(await outcomes(names.map((name) => add(name)))).toMatchObject({ TOPIC_LIMIT: 8 });
    const [first] = await service.list();
    await service.delete({ topicId: first!.id }, createCall(owner));
    await add('One more');
    await refuses('TOPIC_LIMIT', add('Too many'));
  });

  it('lists topics by name, ignoring case and accents', async () => {
    for (const name of ['Zebra', 'Bees', 'ants', 'Élan']) await add(name);
    expect((await service.list()).map(({ name }) => name)).toEqual(['ants', 'Bees', 'Élan', 'Zebra']);
  });

  it("counts a topic's public events that have not ended", async () => {
    const [seo, ppc] = [await add('SEO'), await add('PPC')];
    for (const given of [
      { startDate: daysFromNow(-1), endDate: daysFromNow(1) },
      { startDate: daysFromNow(-2) },
      { status: 'draft' as const },
      { status: 'cancelled' as const },
      { visibility: 'unlisted' as const },
    ])
      await about((await insertEvent(events.owner, given)).id, seo);
    expect(await listed()).toEqual(['PPC 0', 'SEO 1']);
    await about((await insertEvent(events.owner)).id, ppc, seo);
    expect(await listed()).toEqual(['PPC 1', 'SEO 2']);
  });

  it('stores and updates up to three topics of an event, in order', async () => {
    const names = ['SEO', 'PPC', 'Data', 'Other'];
    const [seo, ppc, data, other] = (await Promise.all(names.map((name) => add(name)))) as [
      ...[Topic, Topic, Topic, Topic],
    ];
    const made = await make([ppc, seo]);
    expect(made.topics).toEqual([ppc, seo]);
    const change = (given: Parameters<typeof update>[1]) => update(made.id, given);
    expect(await change({ title: 'Another title' })).toMatchObject({ topics: [ppc, seo], version: 2 });
    const changed = await change({ topics: [data.id, ppc.id, seo.id] });
    expect(changed).toMatchObject({ topics: [data, ppc, seo], version: 3 });
    expect(await change({ topics: [data.id, ppc.id, seo.id], version: 1 })).toMatchObject({ version: 3 });
    expect(await outcomes([change({ topics: [other.id], version: 2 })])).toEqual({ EDIT_CONFLICT: 1 });
    await expect(change({ topics: [seo.id, UNKNOWN] })).rejects.toMatchObject({
      details: { fields: { 'topics[1]': ['topics[1] is not a topic of this community'] } },
    });
    await expect(about(made.id, other)).rejects.toMatchObject({ constraint: 'event_topics_position_key' });
    await expect(
      events.owner.query('INSERT INTO events.event_topics VALUES ($1, $2, 4)', [made.id, other.id]),
    ).rejects.toMatchObject({ constraint: 'event_topics_position_check' });
    expect(await change({ topics: null })).toMatchObject({ topics: [] });
  });

  it('filters event lists by topic', async () => {
    const [seo, ppc] = [await add('SEO'), await add('PPC')];
    const [both, one] = [await make([ppc, seo]), await make([seo])];
    await make([]);
    const found = async (topic: string) =>
      (await events.get(EventsService).list({ topic }, createCall(null))).items
        .map(({ id }) => id)
        .toSorted();
    expect(await found('seo')).toEqual([both.id, one.id].toSorted());
    expect(await found('ppc')).toEqual([both.id]);
    expect(await found('unknown')).toEqual([]);
  });

  it('lets members follow and unfollow topics', async () => {
    const [seo, ppc] = [await add('SEO'), await add('PPC')];
    const [ada, bob] = (await events.members(2)) as [string, string];
    for (const { id } of [seo, ppc, seo]) await service.follow({ topicId: id }, createCall(ada));
    expect(await service.listFollowed({}, createCall(ada))).toEqual([ppc, seo]);
    expect(await service.listFollowed({}, createCall(bob))).toEqual([]);
    for (let times = 0; times < 2; times += 1) await service.unfollow({ topicId: ppc.id }, createCall(ada));
    expect(await service.listFollowed({}, createCall(ada))).toEqual([seo]);
    await refuses('TOPIC_NOT_FOUND', service.follow({ topicId: UNKNOWN }, createCall(ada)));
  });

  it('merges topics without duplicates on events and among followed topics', async () => {
    const [seo, search, ppc] = [await add('SEO'), await add('Search'), await add('PPC')];
    const [both, one] = [await make([search, ppc, seo]), await make([search])];
    const [ada, bob] = (await events.members(2)) as [string, string];
    for (const { id } of [seo, search]) await service.follow({ topicId: id }, createCall(ada));
    await service.follow({ topicId: search.id }, createCall(bob));
    expect(await service.merge({ topicId: search.id, into: seo.id }, createCall(owner))).toEqual(seo);
    expect((await getEvent(both.id)).topics).toEqual([ppc, seo]);
    expect((await getEvent(one.id)).topics).toEqual([seo]);
    for (const member of [ada, bob])
      expect(await service.listFollowed({}, createCall(member))).toEqual([seo]);
    const merge = (topicId: string, into: string) => service.merge({ topicId, into }, createCall(owner));
    const refused = [merge(search.id, seo.id), merge(seo.id, UNKNOWN), merge(seo.id, seo.id)];
    expect(await outcomes(refused)).toEqual({ TOPIC_NOT_FOUND: 2, VALIDATION_FAILED: 1 });
  });

  it('omits drafts and unlisted events from the calendar of a topic', async () => {
    const seo = await add('SEO');
    for (const given of [
      { title: 'Shown' },
      { title: 'Off', status: 'cancelled' as const },
      { title: 'Hidden draft', status: 'draft' as const },
      { title: 'Hidden unlisted', visibility: 'unlisted' as const },
    ])
      await about((await insertEvent(events.owner, given)).id, seo);
    await insertEvent(events.owner, { title: 'Hidden other' });
    const { ics } = await events.get(CalendarService).ofTopic({ slug: 'seo' });
    const titles = [...ics.matchAll(/SUMMARY:(.*)\r/g)].map(([, title]) => title);
    expect(titles.toSorted()).toEqual(['Off', 'Shown']);
    await refuses('TOPIC_NOT_FOUND', events.get(CalendarService).ofTopic({ slug: 'unknown' }));
  });

  describe('announcement to followers', () => {
    const later = daysFromNow(0.5).toISOString();
    const publish = (eventId: string, announce?: boolean) =>
      events.get(EventLifeService).publish({ eventId, announce }, createCall(owner));
    const jobs = () => events.outbox(SendAnnouncement);

    it('announces nothing by default, and hides the announcement state from visitors', async () => {
      const made = await create({});
      expect(made.announcement).toBe('none');
      expect(await getEvent(made.id)).not.toHaveProperty('announcement');
      expect(await publish((await create({ status: 'draft' })).id)).toMatchObject({ announcement: 'none' });
      expect(await jobs()).toEqual([]);
    });

    it('queues one announcement on publishing, even if the request is repeated', async () => {
      const { id: first, announcement } = await create({ announce: true });
      expect(announcement).toBe('announced');
      const { id: second } = await create({ status: 'draft' });
      for (let times = 0; times < 2; times += 1)
        expect(await publish(second, true)).toMatchObject({ announcement: 'announced' });
      expect(await jobs()).toEqual([{ eventId: first }, { eventId: second }]);
    });

    it('queues an announcement at the scheduled publishing time unless it was withdrawn', async () => {
      const draft = { status: 'draft', publishAt: later } as const;
      const { id: kept, announcement } = await create({ ...draft, announce: true });
      expect(announcement).toBe('planned');
      const { id: taken } = await create({ ...draft, announce: true });
      expect(await update(taken, { announce: false })).toMatchObject({ announcement: 'none' });
      const { id: added } = await create(draft);
      expect(await update(added, { announce: true })).toMatchObject({ announcement: 'planned' });
      const { id: hand } = await create({ ...draft, announce: true });
      expect(await publish(hand, false)).toMatchObject({ announcement: 'none' });
      expect(await jobs()).toEqual([]);
      await events.owner.query('UPDATE events.events SET publish_at = now() WHERE publish_at IS NOT NULL');
      await events.owner.query('SELECT events.publish_due()');
      expect((await jobs()).map(({ eventId }) => eventId).toSorted()).toEqual([kept, added].toSorted());
    });

    it.each<[string, () => Promise<unknown>]>([
      ['an unlisted event', () => create({ visibility: 'unlisted', announce: true })],
      ['a draft without a publishing time', () => create({ status: 'draft', announce: true })],
      ['an event that is already published', async () => update((await create({})).id, { announce: true })],
    ])('rejects an announcement of %s', async (_, ask) => {
      await expect(ask()).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        details: { fields: { announce: [expect.stringMatching(/^announce /)] } },
      });
      expect(await jobs()).toEqual([]);
    });
  });
});
