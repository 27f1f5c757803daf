import { type Community, type Identity, ProposalDecidedMail } from '@meetmark/contracts';
import { outcomes } from '@meetmark/testing';
import { insertUser, updateRow } from '@meetmark/testing/factories/users';
import { EventsService } from '../events/events.service.js';
import { eventsForTests } from '../testing/open-events.js';
import { ProposalsService } from './proposals.service.js';

const NOBODY = '0197f000-0000-7000-8000-000000000000';
const fields = {
  title: 'Sketching in the park',
  description: 'Bring a pencil',
  startDate: '2032-05-01T17:00:00.000Z',
  endDate: '2032-05-01T19:00:00.000Z',
};

describe('proposals', () => {
  const events = eventsForTests();
  let service: ProposalsService;
  let community: Community;
  let organiser: Identity;
  let ada: Identity;
  beforeEach(async () => {
    service = events.get(ProposalsService);
    ({ community } = service as unknown as { community: Community });
    community.memberProposals = true;
    const person = async (isOrganiser: boolean): Promise<Identity> => {
      const { id: sub } = await insertUser(events.owner, { isOrganiser });
      return { sub, isAdmin: false, isOrganiser, epoch: 1 };
    };
    organiser = await person(true);
    ada = await person(false);
    await events.empty();
    await events.owner.query('TRUNCATE events.proposals');
  });

  it('are not taken where the community does not want them', async () => {
    community.memberProposals = false;
    expect(await outcomes([service.make(ada.sub, fields)])).toEqual({ NOT_FOUND: 1 });
  });

  it('wait for organisers, the oldest first, and their member sees what became of them', async () => {
    const first = await service.make(ada.sub, fields);
    const second = await service.make(ada.sub, { ...fields, title: 'Again', description: null });
    expect(first).toMatchObject({ ...fields, state: 'open', proposer: { id: ada.sub }, eventId: null });
    expect((await service.listOpen()).map(({ id }) => id)).toEqual([first.id, second.id]);
    expect((await service.listOwn(ada.sub)).map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(await service.listOwn(organiser.sub)).toEqual([]);
    const words = { words: 'Not this year' };
    expect(await service.decline(organiser, { proposalId: first.id, ...words })).toMatchObject({
      ...words,
      state: 'declined',
    });
    expect((await service.listOpen()).map(({ id }) => id)).toEqual([second.id]);
    expect(await events.outbox(ProposalDecidedMail)).toEqual([{ userId: ada.sub, proposalId: first.id }]);
  });

  it('become drafts of the organiser who accepts them, with their member as co-host', async () => {
    const { id: proposalId } = await service.make(ada.sub, fields);
    const { state, eventId } = await service.accept(organiser, proposalId);
    expect(state).toBe('accepted');
    const draft = {
      ...fields,
      ...{ status: 'draft', createdById: organiser.sub, mayManage: true },
      content: { hosts: [{ id: ada.sub, coHost: 'agreed' }] },
    };
    for (const viewer of [organiser, ada])
      expect(await events.get(EventsService).get(eventId!, viewer)).toMatchObject(draft);
    expect(await events.outbox(ProposalDecidedMail)).toEqual([{ userId: ada.sub, proposalId }]);
  });

  it('are decided once, whoever decides at the same moment', async () => {
    const { id: proposalId } = await service.make(ada.sub, fields);
    const all = Array.from({ length: 6 }, (_, n) =>
      n % 2 === 0
        ? service.accept(organiser, proposalId)
        : service.decline(organiser, { proposalId, words: 'No' }),
    );
    expect(await outcomes(all)).toEqual({ ok: 1, PROPOSAL_NOT_FOUND: 5 });
    const { rows } = await events.owner.query('SELECT count(*)::int AS made FROM events.events');
    const [decided] = await service.listOwn(ada.sub);
    expect(rows).toEqual([{ made: decided!.state === 'accepted' ? 1 : 0 }]);
    expect(await outcomes([service.accept(organiser, NOBODY)])).toEqual({ PROPOSAL_NOT_FOUND: 1 });
  });

  it('are decided by organisers alone, as the database has them', async () => {
    const { id: proposalId } = await service.make(ada.sub, fields);
    await updateRow(events.owner, 'auth.users', organiser.sub, { isOrganiser: false });
    const refused = [
      service.accept(organiser, proposalId),
      service.decline(organiser, { proposalId, words: 'No' }),
    ];
    expect(await outcomes(refused)).toEqual({ FORBIDDEN: 2 });
  });

  it('are three open ones a person at most, also of ten at once', async () => {
    const many = Array.from({ length: 10 }, () => service.make(ada.sub, fields));
    expect(await outcomes(many)).toEqual({ ok: 3, PROPOSAL_LIMIT: 7 });
    const [one] = await service.listOpen();
    await service.decline(organiser, { proposalId: one!.id, words: 'No' });
    expect(await outcomes([service.make(ada.sub, fields)])).toEqual({ ok: 1 });
  });

  it('end after they begin, and go with the account', async () => {
    const backwards = service.make(ada.sub, { ...fields, endDate: fields.startDate });
    expect(await outcomes([backwards])).toEqual({ DATE_RANGE_INVALID: 1 });
    await service.make(ada.sub, fields);
    await events.owner.query('DELETE FROM auth.users WHERE id = $1', [ada.sub]);
    expect(await service.listOpen()).toEqual([]);
  });
});
