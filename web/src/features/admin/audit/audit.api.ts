import type { AuditAction, AuditEntry } from '@meetmark/contracts';
import { withQuery } from '../../../api/pages';
import { pageQuery, ROWS_PER_PAGE } from '../shared/paged-list';

export type AuditFilters = {
  subjectId: string;
  actorId: string;
  action: AuditAction | '';
};

export const firstAuditPath = (filters: Partial<AuditFilters>, limit: number = ROWS_PER_PAGE) =>
  withQuery('/api/admin/audit', { ...filters, limit });

export const auditPageQuery = (path: string) => pageQuery<AuditEntry>(['/api/admin/audit'], path);
