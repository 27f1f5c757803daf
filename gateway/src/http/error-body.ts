import { ERRORS, type DomainError, type ErrorBody } from '@meetmark/contracts';

/** Field messages that are repeated in the sentence; `details` has them all. */
const NAMED_FIELDS = 3;

/** A refusal as the client reads it (D22). */
export function errorBody(error: DomainError, requestId: string): ErrorBody {
  const { code, details } = error;
  return {
    statusCode: ERRORS[code].status,
    code,
    message: sentence(error),
    ...(details === undefined ? {} : { details }),
    requestId,
  };
}

function sentence({ code, details }: DomainError): string {
  const { message } = ERRORS[code];
  if (details?.registered !== undefined) return `${message} (${details.registered})`;
  const fields = Object.values(details?.fields ?? {}).flat();
  return fields.length === 0 ? message : `${message}: ${fields.slice(0, NAMED_FIELDS).join('; ')}`;
}
