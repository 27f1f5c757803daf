import type {
  Confirmation,
  ConfirmedRsvp,
  FlowPurpose,
  FlowState,
  RevertedEmail,
  ShowMe,
  User,
} from '@meetmark/contracts';
import { queryOptions, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { send, sendForJson } from '../../api/client';
import { useMutation } from '../../api/mutation';
import { withQuery } from '../../api/pages';
import { requireKept } from './auth.api';
import { rememberUser } from './current-user';

/** Milliseconds between checks whether the emailed link was used on another device. */
const LOOK = 3_000;

const post = <T>(path: string, body?: unknown) => sendForJson<T>(path, { method: 'POST', body });

export const flowQuery = (purpose: FlowPurpose, flow?: string) =>
  queryOptions({
    queryKey: ['flow', purpose, flow],
    queryFn: ({ signal }) => sendForJson<FlowState>(withQuery('/api/confirm', { purpose, flow }), { signal }),
    staleTime: 0,
    gcTime: 0,
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data?.status === 'confirmed' ? false : LOOK),
  });

async function follow(client: QueryClient, { user }: Confirmation): Promise<void> {
  if (user) rememberUser(client, user);
  await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'flow' });
}

/** Rejects if the browser didn't store the session. Codes for other purposes do more than sign in. */
const kept = (confirmation: Confirmation): Promise<Confirmation> | Confirmation =>
  confirmation.user
    ? requireKept(confirmation, confirmation.purpose === 'sign-in' ? 'notKept' : 'doneNotKept')
    : confirmation;

const confirmRsvp = async (flow: string, code: string): Promise<Confirmation> => ({
  purpose: 'rsvp',
  next: null,
  ...(await post<ConfirmedRsvp>('/api/rsvp/confirm', { flow, code })),
});

export function useConfirmCode(
  purpose: Exclude<FlowPurpose, 'reset'>,
  flow: string | undefined,
  confirmed: (confirmation: Confirmation) => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (code: string) =>
      kept(
        await (flow === undefined
          ? post<Confirmation>('/api/confirm', { purpose, code })
          : confirmRsvp(flow, code)),
      ),
    onSuccess: (confirmation) => {
      confirmed(confirmation);
      return follow(client, confirmation);
    },
  });
}

export function useConfirmLink() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (link: {
      token: string;
      newPassword?: string;
      firstName?: string;
      lastName?: string;
      showMe?: ShowMe;
    }) => kept(await post<Confirmation>('/api/confirm/link', link)),
    onSuccess: (confirmation) => follow(client, confirmation),
  });
}

export function useRevertEmail() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (token: string) => post<RevertedEmail>('/api/revert-email', { token }),
    onSuccess: () => client.invalidateQueries(),
  });
}

export const requestVerification = () => send('/api/user/verification', { method: 'POST' });
export const resendEmailCode = () => send('/api/user/pending-email/code', { method: 'POST' });

export function useCancelEmailChange() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => sendForJson<User>('/api/user/pending-email', { method: 'DELETE' }),
    onSuccess: (user) => rememberUser(client, user),
  });
}
