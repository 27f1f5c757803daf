import { Controller } from '@nestjs/common';
import {
  type Community,
  type DeclineProposalRequest,
  DomainError,
  FORMER_MEMBER,
  type Proposal,
  type ProposalFields,
  ProposalDecidedMail,
  Propose,
  ListOwnProposals,
  type Nothing,
  ListProposals,
  AcceptProposal,
  type ProposalIdRequest,
  DeclineProposal,
} from '@meetmark/contracts';
import {
  InjectCommunity,
  inTransaction,
  OutboxWriter,
  requireOrganiser,
  Handles,
  type Call,
  callerId,
  requireIdentity,
} from '@meetmark/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { requireRoomForDrafts } from '../events/core/drafts.js';
import { eventValues } from '../events/core/event-changes.js';
import { insertContent, lockMembers } from '../events/content/event-content.repository.js';
import { NO_CONTENT } from '../events/content/event-content.js';
import { auditEvent, recordAudit } from '../events/notices/event-notices.js';
import { EventEntity } from '../events/core/event.entity.js';
import {
  CONSTRAINTS,
  decide,
  insertProposal,
  openProposals,
  proposal,
  fetchProposals,
  requireRoomForProposal,
} from './proposals.repository.js';

@Controller()
export class ProposalsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: OutboxWriter,
    @InjectCommunity() private readonly community: Community,
  ) {}

  /** @throws DomainError NOT_FOUND, DATE_RANGE_INVALID, PROPOSAL_LIMIT */
  @Handles(Propose)
  async make(fields: ProposalFields, call: Call): Promise<Proposal> {
    if (!this.community.memberProposals) throw new DomainError('NOT_FOUND');
    return inTransaction(
      this.dataSource,
      async (manager) => {
        const id = uuid();
        await requireRoomForProposal(manager, callerId(call));
        await insertProposal(manager, id, callerId(call), fields);
        return proposal(manager, id);
      },
      CONSTRAINTS,
    );
  }

  @Handles(ListOwnProposals)
  listOwn(_: Nothing, call: Call) {
    return fetchProposals(this.dataSource.manager, callerId(call));
  }

  @Handles(ListProposals)
  listOpen() {
    return openProposals(this.dataSource.manager);
  }

  /** @throws DomainError PROPOSAL_NOT_FOUND, DRAFT_LIMIT, FORBIDDEN */
  @Handles(AcceptProposal)
  accept({ proposalId }: ProposalIdRequest, call: Call): Promise<Proposal> {
    const work = async (manager: EntityManager) => {
      await requireOrganiser(manager, requireIdentity(call));
      const { title, description, startDate, endDate, proposer } = await proposal(manager, proposalId);
      // a former member's proposal can still become an event, without a co-host
      const hosts = proposer === null ? [] : [...(await lockMembers(manager, [proposer.id]))];
      const fields = { title, description, startDate, endDate, location: null, price: null, capacity: null };
      const event = {
        ...eventValues(fields, null),
        ...({ id: uuid(), status: 'draft', createdById: callerId(call) } as const),
      };
      await requireRoomForDrafts(manager, callerId(call));
      await manager.insert(EventEntity, event);
      await insertContent(
        manager,
        event.id,
        { ...NO_CONTENT, hosts, coHosts: hosts },
        hosts[0] ?? callerId(call),
      );
      await decide(manager, proposalId, { eventId: event.id });
      await auditEvent(this.outbox, manager, 'event.created', callerId(call), event);
      for (const userId of hosts) await this.outbox.add(manager, ProposalDecidedMail, { userId, proposalId });
      return proposal(manager, proposalId);
    };
    return inTransaction(this.dataSource, work, CONSTRAINTS);
  }

  /** @throws DomainError PROPOSAL_NOT_FOUND, FORBIDDEN */
  @Handles(DeclineProposal)
  decline({ proposalId, words }: DeclineProposalRequest, call: Call): Promise<Proposal> {
    return inTransaction(this.dataSource, async (manager) => {
      await requireOrganiser(manager, requireIdentity(call));
      await decide(manager, proposalId, { words });
      const declined = await proposal(manager, proposalId);
      const userId = declined.proposer?.id ?? FORMER_MEMBER;
      const entry = { action: 'proposal.declined', actorId: callerId(call), subjectId: userId } as const;
      await recordAudit(this.outbox, manager, entry);
      if (declined.proposer !== null)
        await this.outbox.add(manager, ProposalDecidedMail, { userId, proposalId });
      return declined;
    });
  }
}
