import { DomainError, ERRORS, type ErrorBody, type ErrorCode } from '@meetmark/contracts';
import { asDomainError } from '@meetmark/platform';
import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { failurePage, HTML } from './failure-page.js';

/** Fields whose sentences are repeated in the message; `details` has them all. */
const NAMED_FIELDS = 20;
/** Seconds, where the refusal does not name a time. */
const RETRY_AFTER = 1;
const SERVER_ERROR = 500;
/** Refusals of Fastify and Nest themselves. */
const BY_STATUS: Record<number, ErrorCode> = {
  400: 'MALFORMED_JSON',
  404: 'NOT_FOUND',
  413: 'BODY_TOO_LARGE',
  414: 'NOT_FOUND',
  415: 'NOT_JSON',
};

/** A refusal as the client reads it. */
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
  if (fields.length === 0) return message;
  const more = fields.length > NAMED_FIELDS ? `; and ${fields.length - NAMED_FIELDS} more` : '';
  return `${message}: ${fields.slice(0, NAMED_FIELDS).join('; ')}${more}`;
}

/** Turns every error into an answer: known refusals by the catalogue, anything else a neutral 500. */
@Catch()
export class ErrorsFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const error = withRetryAfter(refusalOf(thrown));
    const { status } = ERRORS[error.code];
    if (error.code === 'INTERNAL') this.logger.error({ err: thrown, msg: 'a request failed' });
    reply.refusal = error;
    if (reply.sent) return;
    if (error.details?.retryAfter !== undefined) reply.header('retry-after', error.details.retryAfter);
    if (error.details?.allow !== undefined) reply.header('allow', error.details.allow.join(', '));
    // headers of a success do not hold for a refusal
    reply.removeHeader('etag').removeHeader('content-encoding').removeHeader('content-disposition');
    const page = failurePage(request.raw, status, request.id);
    void reply
      .status(status)
      .header('cache-control', 'no-store')
      .header('content-type', page === undefined ? 'application/json; charset=utf-8' : HTML)
      .send(page ?? errorBody(error, request.id));
  }
}

function refusalOf(thrown: unknown): DomainError {
  if (!(thrown instanceof HttpException)) return asDomainError(thrown);
  const status = thrown.getStatus();
  const code = BY_STATUS[status] ?? (status < SERVER_ERROR ? 'NOT_FOUND' : 'INTERNAL');
  return new DomainError(code, undefined, { cause: thrown });
}

function withRetryAfter(error: DomainError): DomainError {
  const { status } = ERRORS[error.code];
  if ((status !== 429 && status !== 503) || error.details?.retryAfter !== undefined) return error;
  return new DomainError(error.code, { ...error.details, retryAfter: RETRY_AFTER }, { cause: error });
}
