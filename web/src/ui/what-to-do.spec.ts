import type { ErrorCode } from '@meetmark/contracts';
import { ApiError } from '../api/client';
import { whatToDo } from './what-to-do';

const refused = (statusCode: number, message: string, code: ErrorCode = 'INTERNAL') =>
  new ApiError(statusCode, message, { statusCode, code, message, requestId: 'test' });

describe('What can be done about a failure', () => {
  it.each([
    ['the network failed', new TypeError('Failed to fetch'), 'Check your connection and try again.'],
    [
      'a proxy answered',
      new ApiError(502, '<html>', null),
      'Something went wrong on our side. Try again in a moment.',
    ],
    [
      'the server failed',
      refused(500, 'Something went wrong on our side'),
      'Something went wrong on our side. Try again in a moment.',
    ],
    [
      'the server is busy',
      refused(503, 'The service is busy: try again shortly', 'SERVICE_OVERLOADED'),
      'The service is busy: try again shortly',
    ],
    [
      'trying again would not help',
      refused(409, 'This email address is already taken', 'EMAIL_TAKEN'),
      'This email address is already taken',
    ],
  ])('when %s', (_, error, words) => {
    expect(whatToDo(error)).toBe(words);
  });
});
