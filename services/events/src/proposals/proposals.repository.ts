import {
  DomainError,
  type ErrorCode,
  LIMITS,
  type Proposal,
  type ProposalFields,
  type ProposalState,
} from '@meetmark/contracts';
import { lockSubject } from '@meetmark/platform';
import type { EntityManager } from 'typeorm';

export const CONSTRAINTS: Record<string, ErrorCode> = {
  proposals_dates_check: 'DATE_RANGE_INVALID',
  proposals_proposer_id_fkey: 'UNAUTHORIZED',
};

interface Row extends Pick<Proposal, 'id' | 'title' | 'description' | 'proposer' | 'words' | 'eventId'> {
  startDate: Date;
  endDate: Date;
  proposedAt: Date;
  decidedAt: Date | null;
}

const getState = ({ decidedAt, words }: Row): ProposalState => {
  if (decidedAt === null) return 'open';
  return words === null ? 'accepted' : 'declined';
};

const present = (row: Row): Proposal => {
  const { decidedAt: _, startDate, endDate, proposedAt, ...rest } = row;
  return {
    ...rest,
    startDate: startDate.toISOString(),
    endDate: endDate.toISOString(),
    proposedAt: proposedAt.toISOString(),
    state: getState(row),
  };
};

async function find(manager: EntityManager, rest: string, parameters: unknown[]): Promise<Proposal[]> {
  const rows = await manager.query<Row[]>(
    `SELECT proposal.id, title, description, start_date AS "startDate", end_date AS "endDate",
       proposed_at AS "proposedAt", decided_at AS "decidedAt", words, event_id AS "eventId",
       CASE WHEN card.id IS NOT NULL THEN jsonb_build_object('id', card.id, 'firstName', card.first_name,
         'lastName', card.last_name, 'profileImageUrl', card.profile_image_url) END AS proposer
     FROM events.proposals AS proposal LEFT JOIN auth.member_card AS card ON card.id = proposal.proposer_id ${rest}`,
    parameters,
  );
  return rows.map(present);
}

export const fetchProposals = (manager: EntityManager, proposerId: string) =>
  find(
    manager,
    `WHERE proposer_id = $1 ORDER BY proposed_at DESC, proposal.id DESC LIMIT ${LIMITS.listMax}`,
    [proposerId],
  );

export const openProposals = (manager: EntityManager) =>
  find(manager, `WHERE decided_at IS NULL ORDER BY proposed_at, proposal.id LIMIT ${LIMITS.listMax}`, []);

export async function proposal(manager: EntityManager, id: string): Promise<Proposal> {
  const [found] = await find(manager, 'WHERE proposal.id = $1', [id]);
  if (found === undefined) throw new DomainError('PROPOSAL_NOT_FOUND');
  return found;
}

/**
 * Counts in a separate statement after the lock. The count then includes what other transactions committed.
 */
export async function requireRoomForProposal(manager: EntityManager, proposerId: string): Promise<void> {
  await lockSubject(manager, `events.proposals ${proposerId}`);
  const [{ open }] = await manager.sql<[{ open: number }]>`
    SELECT count(*)::integer AS open FROM events.proposals WHERE proposer_id = ${proposerId} AND decided_at IS NULL`;
  if (open >= LIMITS.openProposals) throw new DomainError('PROPOSAL_LIMIT');
}

export const insertProposal = (
  manager: EntityManager,
  id: string,
  proposerId: string,
  { title, description, startDate, endDate }: ProposalFields,
) =>
  manager.query(
    `INSERT INTO events.proposals (id, proposer_id, title, description, start_date, end_date)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [id, proposerId, title, description, startDate, endDate],
  );

export async function decide(
  manager: EntityManager,
  id: string,
  { words = null, eventId = null }: { words?: string | null; eventId?: string | null },
): Promise<void> {
  const [, decided] = await manager.query<[unknown[], number]>(
    `UPDATE events.proposals SET decided_at = now(), words = $2, event_id = $3 WHERE id = $1 AND decided_at IS NULL`,
    [id, words, eventId],
  );
  if (decided !== 1) throw new DomainError('PROPOSAL_NOT_FOUND');
}
