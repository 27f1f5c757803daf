const SECRET_NAME =
  /pass(word|wd)?|secret|token|cookie|authorization|credential|resetcode|sealedcode|apikey|sid$/i;
/** Six digits only. Other values of `code`, such as error codes, must be logged. */
const RESET_CODE = /^\d{6}$/;
const JSON_WEB_TOKEN = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g;
/** No slash in the local part, so that scoped packages in stack traces don't match. */
const EMAIL_ADDRESS = /[^\s<>"'(),:;@/[\]\\]+@[^\s<>"'(),:;@/[\]\\]+\.[a-z]{2,}\b/gi;
const URL_CREDENTIALS = /(\w+:\/\/)[^\s/@]+@/g;
const MAX_DEPTH = 6;
export const HIDDEN = '[hidden]';

export const redactText = (text: string) =>
  text
    .replaceAll(JSON_WEB_TOKEN, HIDDEN)
    .replaceAll(URL_CREDENTIALS, `$1${HIDDEN}@`)
    .replaceAll(EMAIL_ADDRESS, HIDDEN);

/** Replaces secrets at every depth, which pino's `redact` can't do. */
export function redact(value: unknown, name = '', depth = 0): unknown {
  if (value === null || value === undefined || typeof value === 'boolean') return value;
  if (SECRET_NAME.test(name)) return HIDDEN;
  if (/code$/i.test(name) && RESET_CODE.test(String(value))) return HIDDEN;
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object') return value;
  if (value instanceof Error) return describeError(value, depth);
  if (value instanceof Date) return value;
  if (depth >= MAX_DEPTH) return '[deep]';
  if (Array.isArray(value)) return value.map((item) => redact(item, name, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redact(item, key, depth + 1)]));
}

/**
 * Returns only fields that are safe to log. For example, a QueryFailedError also has parameters, which may
 * include password hashes.
 */
function describeError(error: Error & { code?: unknown; details?: unknown }, depth: number): object {
  return {
    type: error.name,
    message: redactText(error.message),
    ...(error.code === undefined ? {} : { code: error.code }),
    ...(error.details === undefined ? {} : { details: redact(error.details, '', depth + 1) }),
    stack: error.stack === undefined ? undefined : redactText(error.stack),
    ...(error.cause === undefined || depth >= MAX_DEPTH ? {} : { cause: redact(error.cause, '', depth + 1) }),
  };
}
