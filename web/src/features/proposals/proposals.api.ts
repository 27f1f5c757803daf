import type { Proposal, ProposalFields } from '@meetmark/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { sendForJson, useIdempotencyKey } from '../../api/client';
import { useMutation } from '../../api/mutation';
import { readQuery } from '../../api/query-client';

const OWN = '/api/proposals';
const QUEUE = '/api/admin/proposals';

export const ownProposalsQuery = readQuery<Proposal[]>(OWN);

export const proposalQueueQuery = readQuery<Proposal[]>(QUEUE);

export function usePropose() {
  const client = useQueryClient();
  const keyFor = useIdempotencyKey();
  return useMutation({
    mutationFn: (body: ProposalFields) =>
      sendForJson<Proposal>(OWN, { method: 'POST', body, headers: keyFor(body) }),
    onSettled: () => void client.invalidateQueries(ownProposalsQuery),
  });
}

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
