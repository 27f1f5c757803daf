import { Injectable } from '@nestjs/common';
import {
  type Community,
  type DeclineProposalRequest,
  DomainError,
  type Proposal,
  type ProposalFields,
  ProposalDecidedMail,
} from '@meetmark/contracts';
import {
  type CallingAdministrator,
  InjectCommunity,
  inTransaction,
  OutboxWriter,
  requireOrganiser,
} from '@meetmark/platform';
import { DataSource } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { eventValues } from '../events/event-changes.js';
import { insertContent, lockMembers } from '../events/event-content.repository.js';
import { NO_CONTENT } from '../events/event-content.js';
import { auditEvent, recordAudit } from '../events/event-notices.js';
import { EventEntity } from '../events/event.entity.js';
import {
  CONSTRAINTS,
  decide,
  insertProposal,
  openProposals,
  proposal,
  proposalsOf,
} from './proposals.repository.js';

/** Members propose events where the community takes proposals; organisers accept or decline them. */
@Injectable()
export class ProposalsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: OutboxWriter,
    @InjectCommunity() private readonly community: Community,
  ) {}

  /** @throws DomainError NOT_FOUND, DATE_RANGE_INVALID, PROPOSAL_LIMIT */
  async make(proposerId: string, fields: ProposalFields): Promise<Proposal> {
    if (!this.community.memberProposals) throw new DomainError('NOT_FOUND');
    return inTransaction(
      this.dataSource,
      async (manager) => {
        const id = uuid();
        await insertProposal(manager, id, proposerId, fields);
        return proposal(manager, id);
      },
      CONSTRAINTS,
    );
  }

  listOwn = (proposerId: string) => proposalsOf(this.dataSource.manager, proposerId);

  listOpen = () => openProposals(this.dataSource.manager);

  /** A draft of the organiser's, which the proposer co-hosts: they have asked for it. @throws DomainError PROPOSAL_NOT_FOUND, FORBIDDEN */
  accept(caller: CallingAdministrator, proposalId: string): Promise<Proposal> {
    return inTransaction(this.dataSource, async (manager) => {
      await requireOrganiser(manager, caller);
      const { title, description, startDate, endDate, proposer } = await proposal(manager, proposalId);
      await lockMembers(manager, [proposer.id]);
      const fields = { title, description, startDate, endDate, location: null, price: null, capacity: null };
      const event = {
        ...eventValues(fields, null),
        ...({ id: uuid(), status: 'draft', createdById: caller.sub } as const),
      };
      await manager.insert(EventEntity, event);
      const content = { ...NO_CONTENT, hosts: [proposer.id], coHosts: [proposer.id] };
      await insertContent(manager, event.id, content, proposer.id);
      await decide(manager, proposalId, { eventId: event.id });
      await auditEvent(this.outbox, manager, 'event.created', caller.sub, event);
      await this.outbox.add(manager, ProposalDecidedMail, { userId: proposer.id, proposalId });
      return proposal(manager, proposalId);
    });
  }

  /** @throws DomainError PROPOSAL_NOT_FOUND, FORBIDDEN */
  decline(caller: CallingAdministrator, { proposalId, words }: DeclineProposalRequest): Promise<Proposal> {
    return inTransaction(this.dataSource, async (manager) => {
      await requireOrganiser(manager, caller);
      await decide(manager, proposalId, { words });
      const declined = await proposal(manager, proposalId);
      const userId = declined.proposer.id;
      const entry = { action: 'proposal.declined', actorId: caller.sub, subjectId: userId } as const;
      await recordAudit(this.outbox, manager, entry);
      await this.outbox.add(manager, ProposalDecidedMail, { userId, proposalId });
      return declined;
    });
  }
}
