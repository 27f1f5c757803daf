import type { Role, User } from '@meetmark/contracts';
import { type QueryKey, queryOptions, useQueryClient } from '@tanstack/react-query';
import { send, sendForJson, useIdempotencyKey } from '../../../api/client';
import { useMutation } from '../../../api/mutation';
import { readAll, withQuery } from '../../../api/pages';
import { CURRENT_USER_KEY, FRESHNESS } from '../../../api/query-client';
import { useRowDeletion } from '../shared/optimistic-removal';
import { pageQuery, ROWS_PER_PAGE } from '../shared/paged-list';

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

interface UserChange extends Partial<Omit<NewUser, 'password'>> {
  id: string;
  version: number;
}

const usersPath = ({ q, role, sort }: UserFilters, limit?: number) =>
  withQuery(USERS, { q, role: role === 'all' ? undefined : role, sort, limit });

export const firstUsersPath = (filters: UserFilters) => usersPath(filters, ROWS_PER_PAGE);

export const usersPageQuery = (path: string) =>
  queryOptions({ ...pageQuery<User>(PAGES_KEY, path), staleTime: FRESHNESS.adminUsers });

/** Exporting personal data requires a fresh sign-in. */
export const useExportUsers = () =>
  useMutation({
    mutationFn: async (chosen: User[] | UserFilters) => {
      const users = Array.isArray(chosen) ? chosen : await readAll<User>(usersPath(chosen));
      if (users.length > 0) await send('/api/user/confirm');
      return users;
    },
  });

function useUsersMutation<Payload, Result>(
  change: (payload: Payload) => Promise<Result>,
  stale: QueryKey[] = [USERS_KEY],
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    // refreshes the lists even after an error, because someone else may have changed or deleted the account
    onSettled: () => Promise.all(stale.map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}

/** Adds `isAdmin`, which the API also requires when the role changes. */
const withRight = <Fields extends { role?: Role }>(fields: Fields) =>
  fields.role === undefined ? fields : { ...fields, isAdmin: fields.role === 'owner' };

export function useCreateUser() {
  const keyFor = useIdempotencyKey();
  return useUsersMutation((user: NewUser) =>
    sendForJson<User>(USERS, { method: 'POST', body: withRight(user), headers: keyFor(user) }),
  );
}

export const useUpdateUser = () =>
  useUsersMutation(
    (change: UserChange) =>
      sendForJson<User>(`${USERS}/${change.id}`, { method: 'PUT', body: withRight(change) }),
    [USERS_KEY, CURRENT_USER_KEY],
  );

export const useSetAdmin = () =>
  useUsersMutation(({ id, isAdmin }: Pick<User, 'id' | 'isAdmin'>) =>
    send(`${USERS}/${id}/toggle-admin`, { method: 'PUT', body: { isAdmin } }),
  );

export const useSetPassword = () =>
  useUsersMutation(({ id, newPassword }: { id: string; newPassword: string }) =>
    send(`${USERS}/${id}/reset-password`, { method: 'PUT', body: { newPassword } }),
  );

export const useRemoveSecondFactors = () =>
  useUsersMutation((id: string) => send(`${USERS}/${id}/second-factors`, { method: 'DELETE' }));

export const useSendResetCode = () =>
  useMutation({
    mutationFn: (id: string) => send(`${USERS}/${id}/send-reset-code`, { method: 'POST' }),
  });

export function useDeleteUser() {
  const client = useQueryClient();
  return useRowDeletion(
    PAGES_KEY,
    (id) => send(`${USERS}/${id}`, { method: 'DELETE' }),
    () => client.invalidateQueries({ queryKey: USERS_KEY }),
  );
}
