import { ApiError, serverMessage } from '../api/client';
import { commonText } from '../strings/common';

const SERVER_FAULT = 500;

/** What happened, in the server's words where it has some, and always what can be done about it. */
export function whatToDo(error: unknown): string {
  if (!(error instanceof ApiError)) return commonText.loadFailedHint;
  const sentence = serverMessage(error);
  if (sentence === null) return `${commonText.serverFailed}. ${commonText.tryInAMoment}`;
  const helped = error.status < SERVER_FAULT || /try again/i.test(sentence);
  return helped ? sentence : `${sentence}. ${commonText.tryInAMoment}`;
}
