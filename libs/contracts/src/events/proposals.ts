import { MaxLength } from 'class-validator';
import { LIMITS } from '../limits.js';
import { messagesTo, Nothing } from '../message.js';
import {
  About,
  EmptyAsNull,
  IsFilled,
  IsId,
  IsMoment,
  PlainText,
  RequiredText,
  SingleLine,
  withIds,
} from '../validation.js';

const events = messagesTo('events');

export class ProposalFields {
  @About('Title of the event', 'SEO breakfast')
  @SingleLine(LIMITS.title)
  @MaxLength(LIMITS.title, { message: 'Title is too long' })
  @IsFilled('Title is required')
  title!: string;

  @About('Plain text')
  @EmptyAsNull()
  @PlainText(LIMITS.description)
  description: string | null = null;

  @About('Start', '2030-05-01T08:00:00.000Z')
  @IsMoment()
  startDate!: string;

  @About('End, after the start (otherwise `DATE_RANGE_INVALID`)', '2030-05-01T10:00:00.000Z')
  @IsMoment()
  endDate!: string;
}

export const PROPOSAL_STATES = ['open', 'accepted', 'declined'] as const;
export type ProposalState = (typeof PROPOSAL_STATES)[number];

export interface Proposal {
  id: string;
  title: string;
  description: string | null;
  startDate: string;
  endDate: string;
  proposedAt: string;
  /** Null for a former member. */
  proposer: { id: string; firstName: string; lastName: string; profileImageUrl: string | null } | null;
  state: ProposalState;
  words: string | null;
  eventId: string | null;
}

/**
 * @throws NOT_FOUND if the community doesn't accept proposals
 * @throws DATE_RANGE_INVALID
 * @throws PROPOSAL_LIMIT
 */
export const Propose = events.member('proposals.make', ProposalFields)<Proposal>();

export const ListOwnProposals = events.member('proposals.listOwn', Nothing)<Proposal[]>();

/** Returns the open proposals, oldest first. */
export const ListProposals = events.organiser('proposals.list', Nothing)<Proposal[]>();

export class ProposalIdRequest {
  @IsId()
  proposalId!: string;
}

/**
 * Creates a draft that belongs to the caller, with the proposer as co-host.
 * @throws PROPOSAL_NOT_FOUND if the proposal isn't open
 */
export const AcceptProposal = events.organiser('proposals.accept', ProposalIdRequest)<Proposal>();

export class DeclineFields {
  @About('Message to the proposer')
  @RequiredText(LIMITS.note, 'words are required')
  words!: string;
}

export class DeclineProposalRequest extends withIds(DeclineFields, 'proposalId') {}

/** @throws PROPOSAL_NOT_FOUND if the proposal isn't open */
export const DeclineProposal = events.organiser('proposals.decline', DeclineProposalRequest)<Proposal>();
