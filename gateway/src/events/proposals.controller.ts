import type * as Contract from '@meetmark/contracts';
import {
  AcceptProposal,
  DeclineFields,
  DeclineProposal,
  DomainError,
  ListOwnProposals,
  ListProposals,
  PROPOSAL_STATES,
  ProposalFields,
  Propose,
} from '@meetmark/contracts';
import { InjectCommunity } from '@meetmark/platform';
import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Access } from '../http/access.js';
import { Fields, Id } from '../http/fields.js';
import { ID, ID_OR_NULL, MOMENT, OR_NULL } from '../openapi/answers.js';
import { Describe, listOf } from '../openapi/describe.js';
import { Services } from '../services.js';
import { Person } from '../users/users.dto.js';

class Proposal implements Contract.Proposal {
  @ApiProperty(ID) id!: string;
  @ApiProperty() title!: string;
  @ApiProperty(OR_NULL) description!: string | null;
  @ApiProperty(MOMENT) startDate!: string;
  @ApiProperty(MOMENT) endDate!: string;
  @ApiProperty(MOMENT) proposedAt!: string;
  @ApiProperty() proposer!: Person;
  @ApiProperty({ enum: PROPOSAL_STATES }) state!: Contract.ProposalState;
  @ApiProperty({ ...OR_NULL, description: 'What the organisers wrote when they declined it' })
  words!: string | null;
  @ApiProperty({ ...ID_OR_NULL, description: 'What was made of it when it was accepted' })
  eventId!: string | null;
}

/** Members propose events. */
@Controller('api/proposals')
export class ProposalsController {
  constructor(
    private readonly services: Services,
    @InjectCommunity() private readonly community: Contract.Community,
  ) {}

  @Describe({
    summary: 'Propose an event to the organisers, where the community takes proposals (`memberProposals`)',
    answers: { 201: Proposal },
    refuses: ['NOT_FOUND', 'DATE_RANGE_INVALID', 'PROPOSAL_LIMIT'],
  })
  @Post()
  @Access('member')
  propose(@Fields(ProposalFields) fields: ProposalFields): Promise<Proposal> {
    if (!this.community.memberProposals) throw new DomainError('NOT_FOUND');
    return this.services.call(Propose, fields);
  }

  @Describe({ summary: "The caller's own proposals, the latest first", answers: { 200: listOf(Proposal) } })
  @Get()
  @Access('member')
  list(): Promise<Proposal[]> {
    return this.services.read(ListOwnProposals, {});
  }
}

/** Organisers decide about them. */
@Controller('api/admin/proposals')
export class ProposalQueueController {
  constructor(private readonly services: Services) {}

  @Describe({ summary: 'The open proposals, the oldest first', answers: { 200: listOf(Proposal) } })
  @Get()
  @Access('organiser')
  list(): Promise<Proposal[]> {
    return this.services.read(ListProposals, {});
  }

  @Describe({
    summary: "Make a draft of the caller's of a proposal, co-hosted by the proposer, who is mailed",
    answers: { 200: Proposal },
    refuses: ['PROPOSAL_NOT_FOUND'],
  })
  @Post(':id/accept')
  @HttpCode(200)
  @Access('organiser')
  accept(@Id() proposalId: string): Promise<Proposal> {
    return this.services.call(AcceptProposal, { proposalId });
  }

  @Describe({
    summary: 'Decline a proposal with words for the proposer, who is mailed',
    answers: { 200: Proposal },
    refuses: ['PROPOSAL_NOT_FOUND'],
  })
  @Post(':id/decline')
  @HttpCode(200)
  @Access('organiser')
  decline(@Id() proposalId: string, @Fields(DeclineFields) { words }: DeclineFields): Promise<Proposal> {
    return this.services.call(DeclineProposal, { proposalId, words });
  }
}
