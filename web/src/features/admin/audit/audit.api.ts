import type { AuditAction, AuditEntry } from '@meetmark/contracts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { readPage, withQuery } from '../../../api/pages';
import { ROWS_PER_PAGE } from '../shared/paged-list';

export type AuditFilters = {
  /** '' is everybody and everything. */
  subjectId: string;
  /** '' is everyone. */
  actorId: string;
  action: AuditAction | '';
};

export const firstAuditPath = (filters: Partial<AuditFilters>, limit: number = ROWS_PER_PAGE) =>
  withQuery('/api/admin/audit', { ...filters, limit });

/** Always fetched again, so that it includes what was done a moment ago on another screen. */
export const auditPageQuery = (path: string) =>
  queryOptions({
    queryKey: ['/api/admin/audit', path],
    queryFn: ({ signal }) => readPage<AuditEntry>(path, signal),
    staleTime: 0,
    refetchOnMount: true,
    placeholderData: keepPreviousData,
  });
