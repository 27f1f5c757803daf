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
import { Describe, describeList } from '../openapi/describe.js';
import { Services } from '../services.js';
import { Person } from '../users/users.dto.js';

class Proposal implements Contract.Proposal {
  @ApiProperty(ID) id!: string;
  @ApiProperty() title!: string;
  @ApiProperty(OR_NULL) description!: string | null;
  @ApiProperty(MOMENT) startDate!: string;
  @ApiProperty(MOMENT) endDate!: string;
  @ApiProperty(MOMENT) proposedAt!: string;
  @ApiProperty({ type: Person, nullable: true, description: 'Null for a former member' })
  proposer!: Person | null;
  @ApiProperty({ enum: PROPOSAL_STATES }) state!: Contract.ProposalState;
  @ApiProperty({ ...OR_NULL, description: 'Message of the organiser who declined it' })
  words!: string | null;
  @ApiProperty({ ...ID_OR_NULL, description: 'ID of the draft that was created when it was accepted' })
  eventId!: string | null;
}

@Controller('api/proposals')
export class ProposalsController {
  constructor(
    private readonly services: Services,
    @InjectCommunity() private readonly community: Contract.Community,
  ) {}

  @Describe({
    summary: 'Propose an event',
    description:
      '404 `NOT_FOUND` if the setting `memberProposals` is off. You can have three open proposals.',
    answers: { 201: Proposal },
    refuses: ['NOT_FOUND', 'DATE_RANGE_INVALID', 'PROPOSAL_LIMIT'],
  })
  @Post()
  @Access('member')
  propose(@Fields(ProposalFields) fields: ProposalFields): Promise<Proposal> {
    if (!this.community.memberProposals) throw new DomainError('NOT_FOUND');
    return this.services.call(Propose, fields);
  }

  @Describe({
    summary: 'List your proposals',
    description: 'Newest first.',
    answers: { 200: describeList(Proposal) },
  })
  @Get()
  @Access('member')
  list(): Promise<Proposal[]> {
    return this.services.read(ListOwnProposals, {});
  }
}

@Controller('api/admin/proposals')
export class ProposalQueueController {
  constructor(private readonly services: Services) {}

  @Describe({
    summary: 'List open proposals',
    description: 'Oldest first.',
    answers: { 200: describeList(Proposal) },
  })
  @Get()
  @Access('organiser')
  list(): Promise<Proposal[]> {
    return this.services.read(ListProposals, {});
  }

  @Describe({
    summary: 'Accept a proposal',
    description: 'Creates a draft that you manage, with the proposer as co-host. Emails the proposer.',
    answers: { 200: Proposal },
    refuses: ['PROPOSAL_NOT_FOUND', 'DRAFT_LIMIT'],
  })
  @Post(':id/accept')
  @HttpCode(200)
  @Access('organiser')
  accept(@Id() proposalId: string): Promise<Proposal> {
    return this.services.call(AcceptProposal, { proposalId });
  }

  @Describe({
    summary: 'Decline a proposal',
    description: 'Emails `words` to the proposer.',
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
