import type { AnswerSummary } from '@meetmark/contracts';
import { queryOptions } from '@tanstack/react-query';
import { sendForJson } from '../../../api/client';
import { ALWAYS_STALE } from '../../../api/query-client';

/** How often each question of an event was answered, and with what; for those who manage it. Always stale. */
export const eventAnswersQuery = (eventId: string) =>
  queryOptions({
    queryKey: [`/api/admin/events/${eventId}`, 'answers'],
    queryFn: ({ signal }) => sendForJson<AnswerSummary[]>(`/api/admin/events/${eventId}/answers`, { signal }),
    ...ALWAYS_STALE,
  });
