import type { SystemStatus } from '@meetmark/contracts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { send, sendForJson } from '../../../api/client';

const SYSTEM = '/api/admin/system';

/** The state of this moment: never from the cache. */
export const systemQuery = queryOptions({
  queryKey: [SYSTEM],
  queryFn: ({ signal }) => sendForJson<SystemStatus>(SYSTEM, { signal }),
  staleTime: 0,
  refetchOnMount: true,
});

export function useSendTestMail() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => send(`${SYSTEM}/test-mail`, { method: 'POST' }),
    onSuccess: () => client.invalidateQueries({ queryKey: [SYSTEM] }),
  });
}
