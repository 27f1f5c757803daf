import { type Community, type Identity, ProposalDecidedMail } from '@meetmark/contracts';
import { beforeCommit, outcomes } from '@meetmark/testing';
import { updateRow } from '@meetmark/testing/factories/users';
import { EventsService } from '../events/core/events.service.js';
import { createCall, eventsForTests, inject, UNKNOWN } from '../testing/open-events.js';
import { ProposalsService } from './proposals.service.js';

const fields = {
  title: 'Sketching in the park',
  description: 'Bring a pencil',
  startDate: '2032-05-01T17:00:00.000Z',
  endDate: '2032-05-01T19:00:00.000Z',
};

describe('proposals', () => {
  const events = eventsForTests();
  const service = inject(events, ProposalsService);
  let community: Community;
  let organiser: Identity;
  let ada: Identity;
  beforeEach(async () => {
    ({ community } = service as unknown as { community: Community });
    community.memberProposals = true;
    organiser = await events.person({ isOrganiser: true });
    ada = await events.person();
    await events.empty();
    await events.owner.query('TRUNCATE events.proposals');
  });

  const make = (given: object = {}) => service.make({ ...fields, ...given }, createCall(ada.sub));
  const accept = (proposalId: string) => service.accept({ proposalId }, createCall(organiser));
  const decline = (proposalId: string, words = 'No') =>
    service.decline({ proposalId, words }, createCall(organiser));

  it('rejects proposals if the community has turned them off', async () => {
    community.memberProposals = false;
    expect(await outcomes([make()])).toEqual({ NOT_FOUND: 1 });
  });

  it('lists open proposals oldest first and emails the member when one is declined', async () => {
    const first = await make();
    const second = await make({ title: 'Again', description: null });
    expect(first).toMatchObject({ ...fields, state: 'open', proposer: { id: ada.sub }, eventId: null });
    expect((await service.listOpen()).map(({ id }) => id)).toEqual([first.id, second.id]);
    expect((await service.listOwn({}, createCall(ada.sub))).map(({ id }) => id)).toEqual([
      second.id,
      first.id,
    ]);
    expect(await service.listOwn({}, createCall(organiser.sub))).toEqual([]);
    const words = 'Not this year';
    expect(await decline(first.id, words)).toMatchObject({ words, state: 'declined' });
    expect((await service.listOpen()).map(({ id }) => id)).toEqual([second.id]);
    expect(await events.outbox(ProposalDecidedMail)).toEqual([{ userId: ada.sub, proposalId: first.id }]);
  });

  it('turns an accepted proposal into a draft with the member as co-host', async () => {
    const { id: proposalId } = await make();
    const { state, eventId } = await accept(proposalId);
    expect(state).toBe('accepted');
    const draft = {
      ...fields,
      ...{ status: 'draft', createdById: organiser.sub, mayManage: true },
      content: { hosts: [{ id: ada.sub, coHost: 'agreed' }] },
    };
    for (const viewer of [organiser, ada])
      expect(await events.get(EventsService).get({ eventId: eventId! }, createCall(viewer))).toMatchObject(
        draft,
      );
    expect(await events.outbox(ProposalDecidedMail)).toEqual([{ userId: ada.sub, proposalId }]);
  });

  it('decides a proposal once when several decisions arrive at the same time', async () => {
    const { id: proposalId } = await make();
    const all = Array.from({ length: 6 }, (_, n) => (n % 2 === 0 ? accept(proposalId) : decline(proposalId)));
    expect(await outcomes(all)).toEqual({ ok: 1, PROPOSAL_NOT_FOUND: 5 });
    const made = await events.rows('SELECT FROM events.events');
    const [decided] = await service.listOwn({}, createCall(ada.sub));
    expect(made).toHaveLength(decided!.state === 'accepted' ? 1 : 0);
    expect(await outcomes([accept(UNKNOWN)])).toEqual({ PROPOSAL_NOT_FOUND: 1 });
  });

  it('accepts a proposal without a co-host if its member is deleted at the same time', async () => {
    const { id: proposalId } = await make();
    const deletion: [string, string[]] = ['DELETE FROM auth.users WHERE id = $1', [ada.sub]];
    const accepted = beforeCommit(events.owner, deletion, () => accept(proposalId));
    expect(await outcomes([accepted])).toEqual({ ok: 1 });
    expect(await events.rows('SELECT FROM events.event_people')).toEqual([]);
    expect(await events.outbox(ProposalDecidedMail)).toEqual([]);
  });

  it('rejects decisions by a former organiser', async () => {
    const { id: proposalId } = await make();
    await updateRow(events.owner, 'auth.users', organiser.sub, { isOrganiser: false });
    expect(await outcomes([accept(proposalId), decline(proposalId)])).toEqual({ FORBIDDEN: 2 });
  });

  it('limits a member to three open proposals, even when made simultaneously', async () => {
    const many = Array.from({ length: 10 }, () => make());
    expect(await outcomes(many)).toEqual({ ok: 3, PROPOSAL_LIMIT: 7 });
    const [one] = await service.listOpen();
    await decline(one!.id);
    expect(await outcomes([make()])).toEqual({ ok: 1 });
  });

  it('requires an end after the start', async () => {
    expect(await outcomes([make({ endDate: fields.startDate })])).toEqual({ DATE_RANGE_INVALID: 1 });
  });

  it('keeps the proposals of a closed or deleted account, without a name', async () => {
    const { id } = await make();
    await updateRow(events.owner, 'auth.users', ada.sub, { closedAt: new Date() });
    expect(await service.listOpen()).toMatchObject([{ title: fields.title, proposer: null }]);
    await events.deleteUser(ada.sub);
    expect(await decline(id)).toMatchObject({ state: 'declined', proposer: null });
    expect(await events.outbox(ProposalDecidedMail)).toEqual([]);
  });
});
