import { type CreateEventRequest, type Identity, NamedInEventMail } from '@meetmark/contracts';
import { insertUser } from '@meetmark/testing/factories/users';
import { eventsForTests } from '../testing/open-events.js';
import { EventEditingService } from './event-editing.service.js';
import { EventsService } from './events.service.js';

const fields = {
  ...{ title: 'Breakfast', startDate: '2032-03-18T18:30:00Z', endDate: '2032-03-18T20:00:00Z' },
  ...{ description: null, location: null, price: null, capacity: null, banner: { action: 'remove' } },
} as CreateEventRequest;

describe('those who manage an event', () => {
  const events = eventsForTests();
  let editing: EventEditingService;
  let service: EventsService;
  let organiser: Identity;
  let ada: Identity;
  beforeAll(() => {
    editing = events.get(EventEditingService);
    service = events.get(EventsService);
  });
  const person = async (isOrganiser: boolean): Promise<Identity> => {
    const { id: sub } = await insertUser(events.owner, { isOrganiser });
    return { sub, isAdmin: false, isOrganiser, epoch: 1 };
  };
  beforeEach(async () => {
    await events.empty();
    organiser = await person(true);
    ada = await person(false);
  });

  const create = (given: Partial<CreateEventRequest> = {}) =>
    editing.create(organiser, { ...fields, ...given } as CreateEventRequest);
  const change = (eventId: string, given: object, as = organiser) =>
    editing.update(as, { eventId, banner: { action: 'keep' }, ...given });
  const agree = (eventId: string, agreed = true) =>
    service.answerRole(ada.sub, { eventId, role: 'host', agreed });
  const asked = async () => (await events.outbox(NamedInEventMail)).map(({ userId }) => userId);
  const managed = async (who: Identity) =>
    (await service.list({ managedBy: 'me' }, who)).items.map(({ id }) => id);

  it('are the organiser who created it, who alone of all organisers sees the draft', async () => {
    const { id, mayManage } = await create({ status: 'draft' });
    expect(mayManage).toBe(true);
    expect(await service.get(id, organiser)).toMatchObject({ mayManage: true });
    expect(await managed(organiser)).toEqual([id]);
    const other = await person(true);
    await expect(service.get(id, other)).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
    await expect(change(id, { title: 'Mine' }, other)).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
    expect(await managed(other)).toEqual([]);
    await expect(editing.create(ada, fields)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('are none any more once they are no organisers any more', async () => {
    const { id } = await create({ hosts: [organiser.sub], coHosts: [organiser.sub] });
    await events.owner.query('UPDATE auth.users SET is_organiser = false WHERE id = $1', [organiser.sub]);
    const demoted = { ...organiser, isOrganiser: false };
    for (const token of [organiser, demoted])
      await expect(change(id, { title: 'Mine' }, token)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await service.get(id, demoted)).toMatchObject({ mayManage: false });
    expect(await managed(demoted)).toEqual([]);
  });

  it('are co-hosts as well, who are asked by mail, from when they agree until they are removed', async () => {
    const { id } = await create({ status: 'draft', hosts: [ada.sub], coHosts: [ada.sub] });
    expect(await asked()).toEqual([ada.sub]);
    await expect(service.get(id, ada)).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
    expect(await service.roles(ada.sub)).toMatchObject([{ eventId: id, coHost: 'asked', agreedAt: null }]);
    expect(await agree(id)).toMatchObject({ coHost: 'agreed' });
    expect(await service.get(id, ada)).toMatchObject({
      mayManage: true,
      content: { hosts: [{ id: ada.sub, agreed: true, coHost: 'agreed' }] },
    });
    expect(await managed(ada)).toEqual([id]);
    expect(await change(id, { title: 'Lunch' }, ada)).toMatchObject({ title: 'Lunch', mayManage: true });
    await change(id, { hosts: [] });
    await expect(change(id, { title: 'Dinner' }, ada)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(service.get(id, ada)).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
  });

  it('are not hosts who agreed to be shown before they were asked to manage', async () => {
    const { id } = await create({ hosts: [ada.sub] });
    expect(await agree(id)).not.toHaveProperty('coHost');
    await change(id, { coHosts: [ada.sub] });
    expect(await asked()).toEqual([ada.sub, ada.sub]);
    await expect(change(id, { title: 'Lunch' }, ada)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    // meanwhile they are shown, and nobody else learns what they are asked
    const { content } = await service.get(id, null);
    expect(content.hosts).toMatchObject([{ id: ada.sub, agreed: true }]);
    expect(content.hosts[0]).not.toHaveProperty('coHost');
    await agree(id);
    expect(await change(id, { title: 'Lunch' }, ada)).toMatchObject({ title: 'Lunch' });
    await change(id, { coHosts: [] });
    await expect(change(id, { title: 'Dinner' }, ada)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await service.get(id, null)).content.hosts).toHaveLength(1);
  });

  it('are those of the hosts alone', async () => {
    const refused = { code: 'VALIDATION_FAILED', details: { fields: { 'coHosts[0]': expect.any(Array) } } };
    await expect(create({ coHosts: [ada.sub] })).rejects.toMatchObject(refused);
    const { id } = await create();
    await expect(change(id, { coHosts: [ada.sub] })).rejects.toMatchObject(refused);
  });

  it('change no event of the series that they do not manage', async () => {
    const { id } = await create({ hosts: [ada.sub], coHosts: [ada.sub] });
    await agree(id);
    await editing.makeSeries(organiser, { eventId: id, every: 'week', count: 3 });
    const later = change(id, { title: 'Mine', scope: 'later' }, ada);
    await expect(later).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
    expect(await service.get(id, ada)).toMatchObject({ title: 'Breakfast' });
    expect(await change(id, { title: 'Lunch', scope: 'later' })).toMatchObject({ title: 'Lunch' });
  });
});
