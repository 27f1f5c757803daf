import { type Identity, LIMITS } from '@meetmark/contracts';
import { outcomes } from '@meetmark/testing';
import { insertEvent } from '@meetmark/testing/factories/events';
import { eventFields } from '@meetmark/testing/factories/samples';
import { insertUser } from '@meetmark/testing/factories/users';
import { ProposalsService } from '../../proposals/proposals.service.js';
import { createCall, eventsForTests, persistently } from '../../testing/open-events.js';
import { EventEditingService } from './event-editing.service.js';
import { EventLifeService } from './event-life.service.js';

describe('drafts of one organiser', () => {
  const events = eventsForTests();
  const newOrganiser = async (): Promise<Identity> => {
    const { id: sub } = await insertUser(events.owner, { isOrganiser: true });
    return { sub, isAdmin: false, isOrganiser: true, epoch: 1 };
  };
  const create = (caller: Identity) =>
    persistently(() => {
      const { bannerImageUrl: _, ...fields } = eventFields();
      return events
        .get(EventEditingService)
        .create({ ...fields, banner: { action: 'remove' }, status: 'draft' }, createCall(caller));
    });

  it(`limits an organiser to ${LIMITS.drafts} drafts, however they are created`, async () => {
    const organiser = await newOrganiser();
    const published = await insertEvent(events.owner, { createdById: organiser.sub });
    const draft = { createdById: organiser.sub, status: 'draft' } as const;
    const { id: eventId } = await insertEvent(events.owner, draft);
    for (let made = 1; made < LIMITS.drafts - 3; made += 1) await insertEvent(events.owner, draft);
    const parallel = Array.from({ length: 8 }, () => create(organiser));
    expect(await outcomes(parallel)).toEqual({ ok: 3, DRAFT_LIMIT: 5 });

    const { sub } = await newOrganiser();
    const proposals = events.get(ProposalsService);
    Object.assign((proposals as unknown as { community: object }).community, { memberProposals: true });
    const { title, description, startDate, endDate } = eventFields();
    const proposal = await proposals.make(
      {
        title,
        description: description ?? null,
        startDate,
        endDate,
      },
      createCall(sub),
    );
    const series = { eventId: published.id, every: 'week', count: 2 } as const;
    const refused = [
      proposals.accept({ proposalId: proposal.id }, createCall(organiser)),
      events.get(EventEditingService).makeSeries(series, createCall(organiser)),
    ];
    expect(await outcomes(refused)).toEqual({ DRAFT_LIMIT: 2 });

    expect(await outcomes([create(await newOrganiser())])).toEqual({ ok: 1 });
    await events.get(EventLifeService).publish({ eventId }, createCall(organiser));
    expect(await outcomes([create(organiser)])).toEqual({ ok: 1 });
  });
});
