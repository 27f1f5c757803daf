import type { Role, User } from '@meetmark/contracts';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { send, sendForJson, useIdempotencyKey } from '../../../api/client';
import { readAll, readPage, withQuery } from '../../../api/pages';
import { CURRENT_USER_KEY, FRESHNESS } from '../../../api/query-client';
import { useFreshSignIn } from '../../security/fresh-sign-in';
import { removeRow } from '../shared/optimistic-removal';
import { ROWS_PER_PAGE } from '../shared/paged-list';

const USERS = '/api/admin/users';
const USERS_KEY = [USERS] as const;
const PAGES_KEY = [USERS, 'pages'] as const;

export type UserSort = 'name' | '-name' | 'email' | '-email' | 'createdAt' | '-createdAt';

export type UserFilters = {
  q: string;
  role: 'all' | 'admin' | 'organiser' | 'user';
  sort: UserSort;
};

interface NewUser {
  email: string;
  firstName: string;
  lastName: string;
  password: string;
  role: Role;
}

/** Fields that are left out keep their values. */
interface UserChange extends Partial<Omit<NewUser, 'password'>> {
  id: string;
  /** The version that was read. */
  version: number;
}

export const firstUsersPath = ({ q, role, sort }: UserFilters) =>
  withQuery(USERS, { q, role: role === 'all' ? undefined : role, sort, limit: ROWS_PER_PAGE });

export const usersPageQuery = (path: string) =>
  queryOptions({
    queryKey: [...PAGES_KEY, path],
    queryFn: ({ signal }) => readPage<User>(path, signal),
    staleTime: FRESHNESS.adminUsers,
    refetchOnMount: true,
    placeholderData: keepPreviousData,
  });

/** For the export: who is chosen, else the whole list. They leave the application, so it needs a fresh sign-in. */
export function useUsersToExport() {
  const fresh = useFreshSignIn();
  return async (chosen?: User[]) => {
    await fresh(() => send('/api/user/confirm'));
    return chosen ?? readAll<User>(USERS);
  };
}

/** The server requires a fresh sign-in for some of them. */
function useUsersMutation<Payload, Result>(change: (payload: Payload) => Promise<Result>) {
  const client = useQueryClient();
  const fresh = useFreshSignIn();
  return useMutation({
    mutationFn: (payload: Payload) => fresh(() => change(payload)),
    // After a refusal too: another administrator may have changed or deleted the account.
    onSettled: () => client.invalidateQueries({ queryKey: USERS_KEY }),
  });
}

export function useCreateUser() {
  const keyFor = useIdempotencyKey();
  return useUsersMutation((user: NewUser) =>
    sendForJson<User>(USERS, { method: 'POST', body: user, headers: keyFor(user) }),
  );
}

export function useUpdateUser() {
  const client = useQueryClient();
  const fresh = useFreshSignIn();
  return useMutation({
    mutationFn: (change: UserChange) =>
      fresh(() => sendForJson<User>(`${USERS}/${change.id}`, { method: 'PUT', body: change })),
    // after a refusal too: another administrator may have changed the account
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: USERS_KEY }),
        // It may have been the administrator's own name.
        client.invalidateQueries({ queryKey: CURRENT_USER_KEY }),
      ]),
  });
}

export const useSetAdmin = () =>
  useUsersMutation(({ id, isAdmin }: Pick<User, 'id' | 'isAdmin'>) =>
    send(`${USERS}/${id}/toggle-admin`, { method: 'PUT', body: { isAdmin } }),
  );

export const useSetPassword = () =>
  useUsersMutation(({ id, newPassword }: { id: string; newPassword: string }) =>
    send(`${USERS}/${id}/reset-password`, { method: 'PUT', body: { newPassword } }),
  );

/** For a person who lost their second factors. */
export const useRemoveSecondFactors = () =>
  useUsersMutation((id: string) => send(`${USERS}/${id}/second-factors`, { method: 'DELETE' }));

export const useSendResetCode = () =>
  useMutation({
    mutationFn: (id: string) => send(`${USERS}/${id}/send-reset-code`, { method: 'POST' }),
  });

/** Optimistic: the row is gone at once and comes back when the call fails. */
export function useDeleteUser() {
  const client = useQueryClient();
  const fresh = useFreshSignIn();
  return useMutation({
    mutationFn: (id: string) => fresh(() => send(`${USERS}/${id}`, { method: 'DELETE' })),
    onMutate: (id) => removeRow(client, PAGES_KEY, id),
    onError: (_error, _id, restore) => restore?.(),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: USERS_KEY });
    },
  });
}
