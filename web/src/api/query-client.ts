import { QueryCache, QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query';
import { hasCode, isUnauthorized, sendForJson } from './client';

const MINUTE = 60_000;

export const FRESHNESS = {
  default: 5 * MINUTE,
  unused: 10 * MINUTE,
  dashboardEvents: 2 * MINUTE,
  adminUsers: 2 * MINUTE,
  activity: 5 * MINUTE,
} as const;

export const ALWAYS_STALE = { staleTime: 0, refetchOnMount: true } as const;

export const readQuery = <T>(path: string, queryKey: QueryKey = [path]) =>
  queryOptions({
    queryKey,
    queryFn: ({ signal }) => sendForJson<T>(path, { signal }),
    ...ALWAYS_STALE,
  });

export const CURRENT_USER_KEY = ['/api/user'] as const;

export function createQueryClient(): QueryClient {
  const onError = (error: unknown) => {
    if (isUnauthorized(error) || hasCode(error, 'CONSENT_REQUIRED'))
      void client.invalidateQueries({ queryKey: CURRENT_USER_KEY });
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
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
