import type { AuditAction, AuditEntry, User } from '@meetmark/contracts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { LIMITS } from '@meetmark/contracts/limits';
import { readPage, withQuery } from '../../../api/pages';
import { FRESHNESS } from '../../../api/query-client';
import { ROWS_PER_PAGE } from '../shared/use-page-walk';

export type AuditFilters = {
  /** '' is everyone. */
  actorId: string;
  action: AuditAction | '';
};

export const firstAuditPath = (filters: AuditFilters) =>
  withQuery('/api/admin/audit', { ...filters, limit: ROWS_PER_PAGE });

/** What was done a moment ago on another screen belongs in it: always looked up again. */
export const auditPageQuery = (path: string) =>
  queryOptions({
    queryKey: ['/api/admin/audit', path],
    queryFn: ({ signal }) => readPage<AuditEntry>(path, signal),
    staleTime: 0,
    refetchOnMount: true,
    placeholderData: keepPreviousData,
  });

/** Who can have done something: the administrators of today. Someone else is reached from an entry of theirs. */
export const administratorsQuery = queryOptions({
  queryKey: ['/api/admin/users', 'administrators'],
  queryFn: async ({ signal }) => {
    const path = withQuery('/api/admin/users', { role: 'admin', sort: 'name', limit: LIMITS.pageSizeMax });
    return (await readPage<User>(path, signal)).items;
  },
  staleTime: FRESHNESS.adminUsers,
  refetchOnMount: true,
});
