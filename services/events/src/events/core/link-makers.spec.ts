import { randomUUID } from 'node:crypto';
import type { Identity } from '@meetmark/contracts';
import { daysFromNow, type EventRow, insertEvent } from '@meetmark/testing/factories/events';
import { insertUser, updateRow } from '@meetmark/testing/factories/users';
import { DoorService } from '../../door/door.service.js';
import { GuestsService } from '../../guests/guests.service.js';
import { createCall, eventsForTests } from '../../testing/open-events.js';
import { EventEditingService } from './event-editing.service.js';
import { EventLifeService } from './event-life.service.js';
import { EventsService } from './events.service.js';

const SECRET_ADDRESSES = {
  door_links: 'door link',
  event_previews: 'preview link',
  // exempt, because a member's own calendar shows only what the member may see
  calendar_feeds: null,
};

describe('links made for an event', () => {
  const events = eventsForTests();
  let admin: Identity;
  let maker: Identity;
  let event: EventRow;
  beforeEach(async () => {
    await events.empty();
    admin = await events.administrator();
  });

  const identity = async (given: object = {}): Promise<Identity> => ({
    sub: (await insertUser(events.owner, { firstName: 'Ada', lastName: 'Lovelace', ...given })).id,
    isAdmin: false,
    epoch: 1,
  });
  const removed = () => events.owner.query('DELETE FROM events.event_people WHERE user_id = $1', [maker.sub]);
  const deleted = () => events.owner.query('DELETE FROM auth.users WHERE id = $1', [maker.sub]);
  const demoted = () => updateRow(events.owner, 'auth.users', maker.sub, { isOrganiser: false });
  const coHosted = async (status: 'draft' | 'published') => {
    maker = await identity();
    event = await insertEvent(events.owner, { status, createdById: admin.sub, startDate: daysFromNow(1) });
    await events.owner.query(
      `INSERT INTO events.event_people (event_id, role, position, user_id, agreed_at, manages, manages_agreed_at)
       VALUES ($1, 'host', 5, $2, now(), true, now())`,
      [event.id, maker.sub],
    );
  };
  const organised = async (status: 'draft' | 'published') => {
    maker = await identity({ isOrganiser: true });
    event = await insertEvent(events.owner, { status, createdById: maker.sub, startDate: daysFromNow(1) });
  };

  const LINKS: Record<
    string,
    {
      status: 'draft' | 'published';
      make: () => Promise<string>;
      use: (token: string, replica: { get: typeof events.get }) => Promise<unknown>;
      ended: string;
      shown: () => Promise<object | null | undefined>;
    }
  > = {
    'door link': {
      status: 'published',
      make: async () =>
        (await events.get(DoorService).createLink({ eventId: event.id }, createCall(maker))).token,
      use: (token, { get }) => get(DoorService).snapshot({ token }),
      ended: 'DOOR_LINK_ENDED',
      shown: async () =>
        (await events.get(DoorService).get({ eventId: event.id }, createCall(admin))).links[0],
    },
    'preview link': {
      status: 'draft',
      make: async () =>
        (await events.get(EventLifeService).makePreview({ eventId: event.id }, createCall(maker))).token,
      use: (token, { get }) => get(EventLifeService).preview({ token }),
      ended: 'EVENT_NOT_FOUND',
      shown: () => events.get(EventLifeService).previewLink({ eventId: event.id }, createCall(admin)),
    },
  };

  it('tests or exempts every table that stores link tokens', async () => {
    const { rows } = await events.owner.query<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'events' AND column_name = 'token_hash'",
    );
    expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(SECRET_ADDRESSES).sort());
    const named = Object.values(SECRET_ADDRESSES).filter((name) => name !== null);
    expect(named).toEqual(Object.keys(LINKS));
  });

  describe.each(Object.entries(LINKS))('a %s', (_, { status, make, use, ended, shown }) => {
    it.each([
      ['a co-host is removed', coHosted, removed],
      ["a co-host's account is deleted", coHosted, deleted],
      ['the organiser is demoted', organised, demoted],
    ])('ends the link on every replica when %s', async (_why, prepare, loseRight) => {
      const replica = await events.replica();
      await prepare(status);
      const token = await make();
      await use(token, events);
      expect(await shown()).toMatchObject({ madeBy: 'Ada Lovelace', works: true });
      await loseRight();
      for (const each of [events, replica])
        await expect(use(token, each)).rejects.toMatchObject({ code: ended });
      const { works = false } = ((await shown()) ?? {}) as { works?: boolean };
      expect(works).toBe(false);
    });

    it('keeps an owner’s link working when a co-host is removed', async () => {
      await coHosted(status);
      const coHost = maker;
      maker = admin;
      const token = await make();
      maker = coHost;
      await removed();
      await use(token, events);
    });
  });

  it('records door scans and walk-ins that arrive after the link has ended', async () => {
    await coHosted('published');
    const door = events.get(DoorService);
    const { token } = await door.createLink({ eventId: event.id }, createCall(maker));
    const guest = await events
      .get(GuestsService)
      .add({ eventId: event.id, name: 'Grace' }, createCall(admin));
    await removed();
    const [at, key] = [new Date().toISOString(), randomUUID()];
    const scanned = door.checkIn({ token, sentAt: at, items: [{ key, at, guestId: guest.id }] });
    await expect(scanned).rejects.toMatchObject({ code: 'DOOR_LINK_ENDED' });
    const walkIn = door.walkIn({ token, sentAt: at, at, key: randomUUID(), name: 'Alan' });
    await expect(walkIn).rejects.toMatchObject({ code: 'DOOR_LINK_ENDED' });
    const { refusals, counts } = await door.get({ eventId: event.id }, createCall(admin));
    expect(refusals.map(({ name, reason }) => [name, reason]).sort()).toEqual([
      ['Alan', 'revoked'],
      ['Grace', 'revoked'],
    ]);
    expect(counts).toEqual({ registered: 1, checkedIn: 0 });
  });

  it('does not count door links of a removed co-host towards the limit of twenty', async () => {
    await coHosted('published');
    const door = events.get(DoorService);
    for (let n = 0; n < 20; n += 1) await door.createLink({ eventId: event.id }, createCall(maker));
    await expect(door.createLink({ eventId: event.id }, createCall(admin))).rejects.toMatchObject({
      code: 'DOOR_LINK_LIMIT',
    });
    await removed();
    await door.createLink({ eventId: event.id }, createCall(admin));
  });

  describe('an invitation to host', () => {
    let guest: Identity;
    const service = () => events.get(EventsService);
    const answer = () =>
      service().answerRole({ eventId: event.id, role: 'host', agreed: true }, createCall(guest.sub));
    beforeEach(async () => {
      await coHosted('published');
      guest = await identity();
    });
    const invite = async (asCoHost = false) => {
      const hosts = [maker.sub, guest.sub];
      const [startDate, endDate] = [event.startDate.toISOString(), event.endDate.toISOString()];
      await events.get(EventEditingService).update(
        {
          ...{ eventId: event.id, title: event.title, startDate, endDate },
          ...{ description: null, location: null, price: null, capacity: null, banner: { action: 'keep' } },
          ...{ hosts, coHosts: asCoHost ? hosts : [maker.sub] },
        },
        createCall(maker),
      );
    };
    const invitation = async () => {
      const page = await service().get({ eventId: event.id }, createCall(admin));
      return page.content.hosts.find(({ id }) => id === guest.sub)?.invitation;
    };

    it.each([
      ['is removed', removed, 'Ada Lovelace'],
      ['deletes their account', deleted, null],
    ])('ends an invitation to host when the inviting co-host %s', async (_, loseRight, by) => {
      await invite(true);
      expect(await invitation()).toEqual({ by: 'Ada Lovelace', works: true });
      await loseRight();
      expect(await invitation()).toEqual({ by, works: false });
      expect(await service().roles({}, createCall(guest.sub))).toEqual([]);
      await expect(answer()).rejects.toMatchObject({ code: 'ROLE_NOT_FOUND' });
    });

    it('keeps an agreed host when that host’s invitation to co-host ends', async () => {
      await invite();
      await answer();
      await invite(true);
      expect(await service().roles({}, createCall(guest.sub))).toMatchObject([{ coHost: 'asked' }]);
      await removed();
      const roles = await service().roles({}, createCall(guest.sub));
      expect(roles).toMatchObject([{ agreedAt: expect.any(String) }]);
      expect(roles[0]).not.toHaveProperty('coHost');
      await answer();
      const { rows } = await events.owner.query(
        'SELECT manages_agreed_at FROM events.event_people WHERE user_id = $1',
        [guest.sub],
      );
      expect(rows).toEqual([{ manages_agreed_at: null }]);
    });

    it('hides an invitation to host from other members', async () => {
      await invite();
      const page = await service().get({ eventId: event.id }, createCall(await identity()));
      expect(JSON.stringify(page)).not.toContain('invitation');
    });
  });
});
