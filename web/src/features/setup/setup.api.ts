import type { User } from '@meetmark/contracts';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { ApiError, send, sendForJson } from '../../api/client';
import { useMutation } from '../../api/mutation';
import { requireKept } from '../auth/auth.api';
import { rememberUser } from '../auth/current-user';
import { generatePassword } from '../auth/generate-password';

const SETUP = '/api/setup';
const MISSING = 404;

export const setupQuery = queryOptions({
  queryKey: [SETUP],
  queryFn: async ({ signal }) => {
    try {
      await send(SETUP, { signal });
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.status === MISSING) return false;
      throw error;
    }
  },
  staleTime: Infinity,
});

interface FirstOwner {
  token: string;
  owner: { email: string; firstName: string; lastName: string; password: string };
}

export function useMakeOwner() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (first: FirstOwner) =>
      requireKept(await sendForJson<User>(SETUP, { method: 'POST', body: first }), 'doneNotKept'),
    onSuccess: (user) => rememberUser(client, user),
  });
}

interface Organiser {
  email: string;
  firstName: string;
  lastName: string;
}

export const useInviteOrganiser = () =>
  useMutation({
    mutationFn: async (organiser: Organiser) => {
      const body = { ...organiser, role: 'organiser', password: generatePassword() };
      const { id } = await sendForJson<User>('/api/admin/users', { method: 'POST', body });
      await send(`/api/admin/users/${id}/send-reset-code`, { method: 'POST' });
    },
  });
