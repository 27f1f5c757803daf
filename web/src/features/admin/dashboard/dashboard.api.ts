import type { ActivityDay, Checklist, Summary } from '@meetmark/contracts';
import { queryOptions } from '@tanstack/react-query';
import { sendForJson } from '../../../api/client';
import { FRESHNESS, readQuery } from '../../../api/query-client';

export const summaryQuery = readQuery<Summary>('/api/admin/summary');

export const checklistQuery = readQuery<Checklist>('/api/admin/checklist');

export const activityQuery = queryOptions({
  queryKey: ['/api/admin/registration-activity'],
  queryFn: ({ signal }) => sendForJson<ActivityDay[]>('/api/admin/registration-activity', { signal }),
  staleTime: FRESHNESS.activity,
  refetchOnMount: true,
});
