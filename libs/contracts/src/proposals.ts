import { MaxLength } from 'class-validator';
import { LIMITS } from './limits.js';
import { defineMessage, Nothing } from './message.js';
import { EmptyAsNull, IsFilled, IsId, IsMoment, PlainText, RequiredText, SingleLine } from './validation.js';

/** An event that a member would like to take place: POST /api/proposals. */
export class ProposalFields {
  @SingleLine(LIMITS.title)
  @MaxLength(LIMITS.title, { message: 'Title is too long' })
  @IsFilled('Title is required')
  title!: string;

  @EmptyAsNull()
  @PlainText(LIMITS.description)
  description: string | null = null;

  @IsMoment()
  startDate!: string;

  /** After `startDate` (DATE_RANGE_INVALID). */
  @IsMoment()
  endDate!: string;
}

export const PROPOSAL_STATES = ['open', 'accepted', 'declined'] as const;
export type ProposalState = (typeof PROPOSAL_STATES)[number];

/** Dates are ISO 8601 UTC. */
export interface Proposal {
  id: string;
  title: string;
  description: string | null;
  startDate: string;
  endDate: string;
  proposedAt: string;
  proposer: { id: string; firstName: string; lastName: string; profileImageUrl: string | null };
  state: ProposalState;
  /** What the organisers wrote when they declined it. */
  words: string | null;
  /** What was made of it when it was accepted; null once that is deleted. */
  eventId: string | null;
}

/** NOT_FOUND where the community takes no proposals; DATE_RANGE_INVALID; PROPOSAL_LIMIT beyond three open ones. */
export const Propose = defineMessage({
  service: 'events',
  name: 'proposals.make',
  access: 'member',
  request: ProposalFields,
})<Proposal>();

/** The caller's own, the latest first. */
export const ListOwnProposals = defineMessage({
  service: 'events',
  name: 'proposals.listOwn',
  access: 'member',
  reads: true,
  request: Nothing,
})<Proposal[]>();

/** Those that are open, the oldest first. */
export const ListProposals = defineMessage({
  service: 'events',
  name: 'proposals.list',
  access: 'organiser',
  reads: true,
  request: Nothing,
})<Proposal[]>();

export class ProposalIdRequest {
  @IsId()
  proposalId!: string;
}

/** Makes a draft of the caller's, which the proposer co-hosts. PROPOSAL_NOT_FOUND when none is open under the id. */
export const AcceptProposal = defineMessage({
  service: 'events',
  name: 'proposals.accept',
  access: 'organiser',
  request: ProposalIdRequest,
})<Proposal>();

/** POST /api/admin/proposals/{id}/decline. */
export class DeclineFields {
  /** For the proposer, who is mailed. */
  @RequiredText(LIMITS.note, 'words are required')
  words!: string;
}

export class DeclineProposalRequest extends DeclineFields {
  @IsId()
  proposalId!: string;
}

/** PROPOSAL_NOT_FOUND when none is open under the id. */
export const DeclineProposal = defineMessage({
  service: 'events',
  name: 'proposals.decline',
  access: 'organiser',
  request: DeclineProposalRequest,
})<Proposal>();
