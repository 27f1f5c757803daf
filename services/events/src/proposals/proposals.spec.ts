import { type Community, type Identity, ProposalDecidedMail } from '@meetmark/contracts';
import { beforeCommit, outcomes } from '@meetmark/testing';
import { insertUser, updateRow } from '@meetmark/testing/factories/users';
import { EventsService } from '../events/core/events.service.js';
import { createCall, eventsForTests } from '../testing/open-events.js';
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

  it('rejects proposals if the community has turned them off', async () => {
    community.memberProposals = false;
    expect(await outcomes([service.make(fields, createCall(ada.sub))])).toEqual({ NOT_FOUND: 1 });
  });

  it('lists open proposals oldest first and emails the member when one is declined', async () => {
    const first = await service.make(fields, createCall(ada.sub));
    const second = await service.make({ ...fields, title: 'Again', description: null }, createCall(ada.sub));
    expect(first).toMatchObject({ ...fields, state: 'open', proposer: { id: ada.sub }, eventId: null });
    expect((await service.listOpen()).map(({ id }) => id)).toEqual([first.id, second.id]);
    expect((await service.listOwn({}, createCall(ada.sub))).map(({ id }) => id)).toEqual([
      second.id,
      first.id,
    ]);
    expect(await service.listOwn({}, createCall(organiser.sub))).toEqual([]);
    const words = { words: 'Not this year' };
    expect(await service.decline({ proposalId: first.id, ...words }, createCall(organiser))).toMatchObject({
      ...words,
      state: 'declined',
    });
    expect((await service.listOpen()).map(({ id }) => id)).toEqual([second.id]);
    expect(await events.outbox(ProposalDecidedMail)).toEqual([{ userId: ada.sub, proposalId: first.id }]);
  });

  it('turns an accepted proposal into a draft with the member as co-host', async () => {
    const { id: proposalId } = await service.make(fields, createCall(ada.sub));
    const { state, eventId } = await service.accept({ proposalId }, createCall(organiser));
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
    const { id: proposalId } = await service.make(fields, createCall(ada.sub));
    const all = Array.from({ length: 6 }, (_, n) =>
      n % 2 === 0
        ? service.accept({ proposalId }, createCall(organiser))
        : service.decline({ proposalId, words: 'No' }, createCall(organiser)),
    );
    expect(await outcomes(all)).toEqual({ ok: 1, PROPOSAL_NOT_FOUND: 5 });
    const { rows } = await events.owner.query('SELECT count(*)::int AS made FROM events.events');
    const [decided] = await service.listOwn({}, createCall(ada.sub));
    expect(rows).toEqual([{ made: decided!.state === 'accepted' ? 1 : 0 }]);
    expect(await outcomes([service.accept({ proposalId: NOBODY }, createCall(organiser))])).toEqual({
      PROPOSAL_NOT_FOUND: 1,
    });
  });

  it('does not accept a proposal whose member is deleted at the same time', async () => {
    const { id: proposalId } = await service.make(fields, createCall(ada.sub));
    const accepted = beforeCommit(events.owner, ['DELETE FROM auth.users WHERE id = $1', [ada.sub]], () =>
      service.accept({ proposalId }, createCall(organiser)),
    );
    expect(await outcomes([accepted])).toEqual({ PROPOSAL_NOT_FOUND: 1 });
  });

  it('rejects decisions by a former organiser', async () => {
    const { id: proposalId } = await service.make(fields, createCall(ada.sub));
    await updateRow(events.owner, 'auth.users', organiser.sub, { isOrganiser: false });
    const refused = [
      service.accept({ proposalId }, createCall(organiser)),
      service.decline({ proposalId, words: 'No' }, createCall(organiser)),
    ];
    expect(await outcomes(refused)).toEqual({ FORBIDDEN: 2 });
  });

  it('limits a member to three open proposals, even when made simultaneously', async () => {
    const many = Array.from({ length: 10 }, () => service.make(fields, createCall(ada.sub)));
    expect(await outcomes(many)).toEqual({ ok: 3, PROPOSAL_LIMIT: 7 });
    const [one] = await service.listOpen();
    await service.decline({ proposalId: one!.id, words: 'No' }, createCall(organiser));
    expect(await outcomes([service.make(fields, createCall(ada.sub))])).toEqual({ ok: 1 });
  });

  it('requires an end after the start, and deletes proposals with the account', async () => {
    const backwards = service.make({ ...fields, endDate: fields.startDate }, createCall(ada.sub));
    expect(await outcomes([backwards])).toEqual({ DATE_RANGE_INVALID: 1 });
    await service.make(fields, createCall(ada.sub));
    await events.owner.query('DELETE FROM auth.users WHERE id = $1', [ada.sub]);
    expect(await service.listOpen()).toEqual([]);
  });
});
