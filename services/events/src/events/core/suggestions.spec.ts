import { CreateEvent, type Identity, listMessages } from '@meetmark/contracts';
import { MAY } from '@meetmark/testing/access';
import { insertEvent } from '@meetmark/testing/factories/events';
import { getMetadataStorage } from 'class-validator';
import { askHandler, eventsForTests } from '../../testing/open-events.js';

const SECRET = 'Zanzibar';
const FORM = {
  title: SECRET,
  description: SECRET,
  startDate: '2031-05-01T17:00:00Z',
  endDate: '2031-05-01T19:00:00Z',
  location: SECRET,
  paymentNote: SECRET,
  accessibility: SECRET,
  onlineUrl: `https://meet.example/${SECRET}`,
  onlineNote: SECRET,
  recap: SECRET,
  venue: { name: SECRET, address: SECRET, note: SECRET, mapUrl: `https://map.example/${SECRET}` },
  agenda: [{ startsAt: '2031-05-01T17:00:00Z', title: SECRET, note: SECRET }],
  speakers: [{ name: SECRET, role: SECRET, bio: SECRET, linkUrl: `https://a.example/${SECRET}` }],
  resources: [{ title: SECRET, url: `https://a.example/${SECRET}` }],
  questions: [{ kind: 'choice', label: SECRET, options: [SECRET, 'Other'] }],
  banner: { action: 'remove' },
};

const searches = listMessages('events').filter(({ request }) =>
  getMetadataStorage()
    .getTargetValidationMetadatas(request, '', false, false)
    .some(({ propertyName }) => propertyName === 'q'),
);

describe('suggestions and searches', () => {
  const events = eventsForTests();
  let author: Identity;
  let coHost: Identity;
  let callers: Record<'visitor' | 'member' | 'other organiser' | 'co-host', Identity | null>;
  let managed: string;

  beforeAll(async () => {
    author = await events.person({ isOrganiser: true });
    const other = await events.person({ isOrganiser: true });
    coHost = await events.person();
    callers = { visitor: null, member: await events.person(), 'other organiser': other, 'co-host': coHost };
    ({ id: managed } = await insertEvent(events.owner, { createdById: other.sub }));
    await events.addCoHost(managed, coHost.sub);
    for (const hidden of [{ status: 'draft' }, { visibility: 'unlisted' }])
      await askHandler(events, CreateEvent, { ...FORM, ...hidden }, author);
  });

  const answers = async (name: string, caller: Identity | null): Promise<string> => {
    const message = searches.find((each) => each.name === name)!;
    const found: unknown[] = [];
    for (const q of [SECRET, SECRET.slice(1, -1).toUpperCase(), 'Search marketing'])
      found.push(await askHandler(events, message, withEvent(name, { q }), caller));
    return JSON.stringify(found);
  };
  const withEvent = (name: string, request: object) =>
    /^guests|ForEvent$/.test(name) ? { ...request, eventId: managed } : request;

  it.each(
    searches.filter(({ access }) => access !== 'admin').map(({ name, access }) => [name, access] as const),
  )("finds nothing in other people's drafts and unlisted events: %s", async (name, access) => {
    for (const [kind, caller] of Object.entries(callers)) {
      if (MAY[access][kind as keyof typeof callers] !== 'yes') continue;
      expect([kind, await answers(name, caller)]).toEqual([kind, expect.not.stringMatching(/zanzibar/i)]);
    }
  });

  it('suggests a hidden event’s venue only to owners and the event’s managers', async () => {
    const owner = await events.administrator();
    const venue = { ...FORM.venue, note: null };
    const venues = async (caller: Identity) =>
      (JSON.parse(await answers('events.listVenues', caller)) as { items: unknown[] }[])[0]!.items;
    for (const caller of [author, owner]) expect(await venues(caller)).toEqual([venue]);
    expect(await venues(coHost)).toEqual([]);
    for (const { id } of await events.rows('SELECT id FROM events.events WHERE title = $1', SECRET))
      await events.addCoHost(id, coHost.sub);
    expect(await venues(coHost)).toEqual([venue]);
  });

  it('suggests a listed event’s venue to every organiser, without the venue note', async () => {
    const venue = { name: 'Granary Hall', note: 'Door code 4711' };
    await askHandler(events, CreateEvent, { ...FORM, venue }, author);
    const listVenues = searches.find(({ name }) => name === 'events.listVenues')!;
    const found = await askHandler(events, listVenues, { q: 'granary' }, callers['other organiser']);
    expect(JSON.stringify(found)).toContain('Granary Hall');
    expect(JSON.stringify(found)).not.toContain('4711');
  });
});
