import { type Identity, LIMITS } from '@meetmark/contracts';
import { outcomes } from '@meetmark/testing';
import { insertEvent } from '@meetmark/testing/factories/events';
import { ProposalsService } from '../../proposals/proposals.service.js';
import { manageEvents } from '../../testing/manage-events.js';
import { createCall, eventForm, eventsForTests, persistently } from '../../testing/open-events.js';

describe('drafts of one organiser', () => {
  const events = eventsForTests();
  const managing = manageEvents(events);
  const newOrganiser = () => events.person({ isOrganiser: true });
  const create = (caller: Identity) => persistently(() => managing.create({ status: 'draft' }, caller));

  it(`limits an organiser to ${LIMITS.drafts} drafts, however they are created`, async () => {
    const organiser = await newOrganiser();
    const published = await insertEvent(events.owner, { createdById: organiser.sub });
    const draft = { createdById: organiser.sub, status: 'draft' } as const;
    const { id: eventId } = await insertEvent(events.owner, draft);
    await events.owner.query(
      `INSERT INTO events.events (id, title, start_date, end_date, created_by_id, status)
       SELECT gen_random_uuid(), title, start_date, end_date, created_by_id, status
       FROM events.events, generate_series(2, $2::integer) WHERE id = $1`,
      [eventId, LIMITS.drafts - 3],
    );
    const parallel = Array.from({ length: 8 }, () => create(organiser));
    expect(await outcomes(parallel)).toEqual({ ok: 3, DRAFT_LIMIT: 5 });

    const proposals = events.get(ProposalsService);
    Object.assign((proposals as unknown as { community: object }).community, { memberProposals: true });
    const { title, startDate, endDate } = eventForm();
    const proposal = await proposals.make(
      { title, startDate, endDate, description: null },
      createCall(await newOrganiser()),
    );
    const refused = [
      proposals.accept({ proposalId: proposal.id }, createCall(organiser)),
      managing.makeSeries(published),
    ];
    expect(await outcomes(refused)).toEqual({ DRAFT_LIMIT: 2 });

    expect(await outcomes([create(await newOrganiser())])).toEqual({ ok: 1 });
    await managing.publish(eventId);
    expect(await outcomes([managing.makeSeries(published, 3)])).toEqual({ DRAFT_LIMIT: 1 });
    expect(await outcomes([create(organiser)])).toEqual({ ok: 1 });
  });
});
