import type { Identity } from '@meetmark/contracts';
import { outcomes } from '@meetmark/testing';
import { daysFromNow, type EventRow, insertEvent } from '@meetmark/testing/factories/events';
import { updateRow } from '@meetmark/testing/factories/users';
import { DoorService } from '../../door/door.service.js';
import { manageEvents } from '../../testing/manage-events.js';
import { createCall, eventsForTests, inject, persistently } from '../../testing/open-events.js';
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
  const { admin, change, get } = manageEvents(events);
  const door = inject(events, DoorService);
  const life = inject(events, EventLifeService);
  const reading = inject(events, EventsService);
  let maker: Identity;
  let event: EventRow;
  let replica: { get: typeof events.get };
  beforeAll(async () => {
    replica = await events.replica();
  });

  type Status = 'draft' | 'published';
  const insert = async (status: Status, createdById: string) => {
    event = await insertEvent(events.owner, { status, createdById, startDate: daysFromNow(1) });
  };
  const coHosted = async (status: Status) => {
    maker = await events.person();
    await insert(status, admin.sub);
    await events.addCoHost(event.id, maker.sub, 5);
  };
  const organised = async (status: Status) => {
    maker = await events.person({ isOrganiser: true });
    await insert(status, maker.sub);
  };
  const removed = () => events.owner.query('DELETE FROM events.event_people WHERE user_id = $1', [maker.sub]);
  const deleted = () => events.deleteUser(maker.sub);
  const demoted = () => updateRow(events.owner, 'auth.users', maker.sub, { isOrganiser: false });
  const createDoorLink = async (by: Identity) =>
    (await door.createLink({ eventId: event.id }, createCall(by))).token;

  interface Link {
    status: Status;
    make: (by: Identity) => Promise<string>;
    use: (token: string, replica: { get: typeof events.get }) => Promise<unknown>;
    ended: string;
    shown: () => Promise<object | null | undefined>;
  }
  const LINKS: Record<string, Link> = {
    'door link': {
      status: 'published',
      make: createDoorLink,
      use: (token, { get }) => get(DoorService).snapshot({ token }),
      ended: 'DOOR_LINK_ENDED',
      shown: async () => (await door.get({ eventId: event.id }, createCall(admin))).links[0],
    },
    'preview link': {
      status: 'draft',
      make: async (by) => (await life.makePreview({ eventId: event.id }, createCall(by))).token,
      use: (token, { get }) => get(EventLifeService).preview({ token }),
      ended: 'EVENT_NOT_FOUND',
      shown: () => life.previewLink({ eventId: event.id }, createCall(admin)),
    },
  };

  it('tests or exempts every table that stores link tokens', async () => {
    const rows = await events.rows<{ name: string }>(
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
      await prepare(status);
      const token = await make(maker);
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
      const token = await make(admin);
      await removed();
      await use(token, events);
    });
  });

  it('does not count door links of a removed co-host towards the limit of twenty', async () => {
    await coHosted('published');
    const made = Array.from({ length: 20 }, () => persistently(() => createDoorLink(maker)));
    expect(await outcomes(made)).toEqual({ ok: 20 });
    expect(await outcomes([createDoorLink(admin)])).toEqual({ DOOR_LINK_LIMIT: 1 });
    await removed();
    await createDoorLink(admin);
  });

  describe('an invitation to host', () => {
    let guest: Identity;
    const answer = () =>
      reading.answerRole({ eventId: event.id, role: 'host', agreed: true }, createCall(guest.sub));
    beforeEach(async () => {
      await coHosted('published');
      guest = await events.person();
    });
    const invite = (asCoHost = false) => {
      const hosts = [maker.sub, guest.sub];
      return change(event, { hosts, coHosts: asCoHost ? hosts : [maker.sub] }, maker);
    };
    const invitation = async () =>
      (await get(event)).content.hosts.find(({ id }) => id === guest.sub)?.invitation;

    it.each([
      ['is removed', removed, 'Ada Lovelace'],
      ['deletes their account', deleted, null],
    ])('ends an invitation to host when the inviting co-host %s', async (_, loseRight, by) => {
      await invite(true);
      expect(await invitation()).toEqual({ by: 'Ada Lovelace', works: true });
      await loseRight();
      expect(await invitation()).toEqual({ by, works: false });
      expect(await reading.roles({}, createCall(guest.sub))).toEqual([]);
      await expect(answer()).rejects.toMatchObject({ code: 'ROLE_NOT_FOUND' });
    });

    it('keeps an agreed host when that host’s invitation to co-host ends', async () => {
      await invite();
      await answer();
      await invite(true);
      expect(await reading.roles({}, createCall(guest.sub))).toMatchObject([{ coHost: 'asked' }]);
      await removed();
      const roles = await reading.roles({}, createCall(guest.sub));
      expect(roles).toMatchObject([{ agreedAt: expect.any(String) }]);
      expect(roles[0]).not.toHaveProperty('coHost');
      await answer();
      const agreed = await events.rows(
        'SELECT manages_agreed_at FROM events.event_people WHERE user_id = $1',
        guest.sub,
      );
      expect(agreed).toEqual([{ manages_agreed_at: null }]);
    });

    it('hides an invitation to host from other members', async () => {
      await invite();
      const page = await get(event, await events.person());
      expect(JSON.stringify(page)).not.toContain('invitation');
    });
  });
});
