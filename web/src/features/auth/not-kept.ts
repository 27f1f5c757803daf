import { cookiesText as text } from '@meetmark/i18n/texts/cookies';
import { ApiError } from '../../api/client';

// loaded only if a browser didn't store a session

export default function notKept(how: keyof typeof text): ApiError {
  const message = text[how];
  return new ApiError(0, message, { statusCode: 0, code: 'UNAUTHORIZED', message, requestId: '' });
}
