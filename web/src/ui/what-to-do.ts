import type { ErrorCode } from '@meetmark/contracts';
import { commonText } from '@meetmark/i18n/texts/common';
import { ApiError, errorCode, serverMessage } from '../api/client';

const SERVER_FAULT = 500;
const SAYS_WHAT_TO_DO = new Set<ErrorCode | undefined>([
  'SERVICE_UNAVAILABLE',
  'SERVICE_OVERLOADED',
  'DEADLINE_EXCEEDED',
]);

export function whatToDo(error: unknown): string {
  if (!(error instanceof ApiError)) return commonText.loadFailedHint;
  const sentence = serverMessage(error);
  if (sentence === null) return `${commonText.serverFailed}. ${commonText.tryInAMoment}`;
  return error.status < SERVER_FAULT || SAYS_WHAT_TO_DO.has(errorCode(error))
    ? sentence
    : `${sentence}. ${commonText.tryInAMoment}`;
}
