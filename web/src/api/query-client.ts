import { QueryCache, QueryClient } from '@tanstack/react-query';
import { isUnauthorized } from './client';

const MINUTE = 60_000;

/** Milliseconds for which an answer counts as fresh. A query that differs says so in its own options. */
export const FRESHNESS = {
  default: 5 * MINUTE,
  unused: 10 * MINUTE,
  dashboardEvents: 2 * MINUTE,
  adminUsers: 2 * MINUTE,
  activity: 5 * MINUTE,
} as const;

/** Options of a query whose answer is fetched again whenever a screen that shows it opens. */
export const ALWAYS_STALE = { staleTime: 0, refetchOnMount: true } as const;

export const CURRENT_USER_KEY = ['/api/user'] as const;

export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      // A 401 anywhere means that the session has ended: the current user is fetched again.
      onError: (error) => {
        if (isUnauthorized(error)) void client.invalidateQueries({ queryKey: CURRENT_USER_KEY });
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: FRESHNESS.default,
        gcTime: FRESHNESS.unused,
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnMount: false,
        refetchOnReconnect: false,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  return client;
}
