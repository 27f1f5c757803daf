import { DomainError, ERRORS, type ErrorCode } from '@meetmark/contracts';
import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { asDomainError } from '@meetmark/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Doorkeeper } from '../overload/doorkeeper.js';
import { errorBody } from './error-body.js';

/** Seconds, where the refusal itself does not say when to come back. */
const RETRY_AFTER = 1;
const SERVER_ERROR = 500;
/** What Fastify and Nest refuse by themselves. */
const BY_STATUS: Record<number, ErrorCode> = {
  400: 'MALFORMED_JSON',
  404: 'NOT_FOUND',
  413: 'BODY_TOO_LARGE',
  414: 'NOT_FOUND',
  415: 'NOT_JSON',
};

/** The one place that turns what was thrown into an answer: known refusals by the catalogue, anything else a neutral 500. */
@Catch()
export class ErrorsFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');

  constructor(private readonly doorkeeper: Doorkeeper) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const error = withRetryAfter(refusalOf(thrown));
    const { status } = ERRORS[error.code];
    if (error.code === 'INTERNAL') this.logger.error({ err: thrown, msg: 'a request failed' });
    this.doorkeeper.notice(request.raw, error);
    reply.refusal = error.code;
    if (reply.sent) return;
    if (error.details?.retryAfter !== undefined) reply.header('retry-after', error.details.retryAfter);
    if (error.details?.allow !== undefined) reply.header('allow', error.details.allow.join(', '));
    // whatever was prepared for a success does not hold for a refusal
    reply.removeHeader('etag').removeHeader('content-encoding').removeHeader('content-disposition');
    void reply
      .status(status)
      .header('cache-control', 'no-store')
      .header('content-type', 'application/json; charset=utf-8')
      .send(errorBody(error, request.id));
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
