import type { AnswerSummary } from '@meetmark/contracts';
import { readQuery } from '../../../api/query-client';

export const eventAnswersQuery = (eventId: string) =>
  readQuery<AnswerSummary[]>(`/api/admin/events/${eventId}/answers`, [
    `/api/admin/events/${eventId}`,
    'answers',
  ]);
