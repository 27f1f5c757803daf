import type { Proposal, ProposalFields } from '@meetmark/contracts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { sendForJson, useIdempotencyKey } from '../../api/client';
import { ALWAYS_STALE } from '../../api/query-client';

const OWN = '/api/proposals';
const QUEUE = '/api/admin/proposals';

/** The member's own, the latest first. */
export const ownProposalsQuery = queryOptions({
  queryKey: [OWN],
  queryFn: ({ signal }) => sendForJson<Proposal[]>(OWN, { signal }),
  ...ALWAYS_STALE,
});

/** Those that are open, the oldest first. */
export const proposalQueueQuery = queryOptions({
  queryKey: [QUEUE],
  queryFn: ({ signal }) => sendForJson<Proposal[]>(QUEUE, { signal }),
  ...ALWAYS_STALE,
});

export function usePropose() {
  const client = useQueryClient();
  const keyFor = useIdempotencyKey();
  return useMutation({
    mutationFn: (body: ProposalFields) =>
      sendForJson<Proposal>(OWN, { method: 'POST', body, headers: keyFor(body) }),
    onSettled: () => void client.invalidateQueries(ownProposalsQuery),
  });
}

/** Decides about a proposal; words decline it. The queue is fetched again even after a refusal, since another administrator may have decided. */
export function useDecide() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, words }: { id: string; words?: string }) =>
      words === undefined
        ? sendForJson<Proposal>(`${QUEUE}/${id}/accept`, { method: 'POST' })
        : sendForJson<Proposal>(`${QUEUE}/${id}/decline`, { method: 'POST', body: { words } }),
    onSettled: () => void client.invalidateQueries(proposalQueueQuery),
  });
}
