import type { ActivityDay, Checklist, Summary } from '@meetmark/contracts';
import { queryOptions } from '@tanstack/react-query';
import { sendForJson } from '../../../api/client';
import { ALWAYS_STALE, FRESHNESS } from '../../../api/query-client';

/** Counts of events and users, always fetched again. */
export const summaryQuery = queryOptions({
  queryKey: ['/api/admin/summary'],
  queryFn: ({ signal }) => sendForJson<Summary>('/api/admin/summary', { signal }),
  ...ALWAYS_STALE,
});

/** Computed from what is stored, so as it is now. */
export const checklistQuery = queryOptions({
  queryKey: ['/api/admin/checklist'],
  queryFn: ({ signal }) => sendForJson<Checklist>('/api/admin/checklist', { signal }),
  ...ALWAYS_STALE,
});

export const activityQuery = queryOptions({
  queryKey: ['/api/admin/registration-activity'],
  queryFn: ({ signal }) => sendForJson<ActivityDay[]>('/api/admin/registration-activity', { signal }),
  staleTime: FRESHNESS.activity,
  refetchOnMount: true,
});
