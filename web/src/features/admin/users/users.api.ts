import type { Role, User } from '@meetmark/contracts';
import { type QueryKey, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { send, sendForJson, useIdempotencyKey } from '../../../api/client';
import { readAll, withQuery } from '../../../api/pages';
import { CURRENT_USER_KEY, FRESHNESS } from '../../../api/query-client';
import { useFreshSignIn } from '../../security/fresh-sign-in';
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

/** Fields that are left out keep their values. */
interface UserChange extends Partial<Omit<NewUser, 'password'>> {
  id: string;
  /** The version that was read. */
  version: number;
}

const usersPath = ({ q, role, sort }: UserFilters, limit?: number) =>
  withQuery(USERS, { q, role: role === 'all' ? undefined : role, sort, limit });

export const firstUsersPath = (filters: UserFilters) => usersPath(filters, ROWS_PER_PAGE);

export const usersPageQuery = (path: string) =>
  queryOptions({ ...pageQuery<User>(PAGES_KEY, path), staleTime: FRESHNESS.adminUsers });

/** Exports the chosen users, else those that the filters find. Their data leaves the application, so the export needs a fresh sign-in. */
export function useUsersToExport() {
  const fresh = useFreshSignIn();
  return async (chosen: User[] | UserFilters) => {
    const users = Array.isArray(chosen) ? chosen : await readAll<User>(usersPath(chosen));
    if (users.length > 0) await fresh(() => send('/api/user/confirm'));
    return users;
  };
}

/** The server requires a fresh sign-in for some of them. `stale`: the keys of what it may change. */
function useUsersMutation<Payload, Result>(
  change: (payload: Payload) => Promise<Result>,
  stale: QueryKey[] = [USERS_KEY],
) {
  const client = useQueryClient();
  const fresh = useFreshSignIn();
  return useMutation({
    mutationFn: (payload: Payload) => fresh(() => change(payload)),
    // A refusal refreshes the lists as well: another administrator may have changed or deleted the account.
    onSettled: () => Promise.all(stale.map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}

/** A request that sets a right names it as `isAdmin` too. */
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
    // It may have been the administrator's own name.
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

/** Removes the second factors of a person who lost them. */
export const useRemoveSecondFactors = () =>
  useUsersMutation((id: string) => send(`${USERS}/${id}/second-factors`, { method: 'DELETE' }));

export const useSendResetCode = () =>
  useMutation({
    mutationFn: (id: string) => send(`${USERS}/${id}/send-reset-code`, { method: 'POST' }),
  });

export function useDeleteUser() {
  const client = useQueryClient();
  const fresh = useFreshSignIn();
  return useRowDeletion(
    PAGES_KEY,
    (id) => fresh(() => send(`${USERS}/${id}`, { method: 'DELETE' })),
    () => client.invalidateQueries({ queryKey: USERS_KEY }),
  );
}
