import type { User } from '@meetmark/contracts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, send, sendForJson } from '../../api/client';
import { rememberUser } from '../auth/auth.api';
import { generatePassword } from '../auth/generate-password';

const SETUP = '/api/setup';
const MISSING = 404;

/** Whether the installation has no owner yet. */
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

/** Creates the first owner and signs them in. Safe to repeat. */
export function useMakeOwner() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (first: FirstOwner) => sendForJson<User>(SETUP, { method: 'POST', body: first }),
    onSuccess: (user) => rememberUser(client, user),
  });
}

interface Organiser {
  email: string;
  firstName: string;
  lastName: string;
}

/** An account for a person who chooses its password with the code that is mailed to them. */
export const useInviteOrganiser = () =>
  useMutation({
    mutationFn: async (organiser: Organiser) => {
      const body = { ...organiser, role: 'organiser', password: generatePassword() };
      const { id } = await sendForJson<User>('/api/admin/users', { method: 'POST', body });
      await send(`/api/admin/users/${id}/send-reset-code`, { method: 'POST' });
    },
  });
