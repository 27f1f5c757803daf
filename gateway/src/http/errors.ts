import { DomainError, ERRORS, type ErrorBody, type ErrorCode } from '@meetmark/contracts';
import { asDomainError } from '@meetmark/platform';
import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { failurePage, HTML } from './failure-page.js';
import { newRequestId } from './request.js';

const NAMED_FIELDS = 20;
/** Seconds. */
const RETRY_AFTER = 1;
const SERVER_ERROR = 500;
const BY_STATUS: Record<number, ErrorCode> = {
  400: 'MALFORMED_JSON',
  404: 'NOT_FOUND',
  413: 'BODY_TOO_LARGE',
  414: 'NOT_FOUND',
  415: 'NOT_JSON',
};

function errorBody(error: DomainError, requestId: string): ErrorBody {
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

const JSON_TYPE = 'application/json; charset=utf-8';

export function rawRefusal(
  error: DomainError,
  fixed: Record<string, string>,
  requestId: string = newRequestId(),
) {
  const body = JSON.stringify(errorBody(error, requestId));
  const own = { 'content-type': JSON_TYPE, 'cache-control': 'no-store', 'x-request-id': requestId };
  return { status: ERRORS[error.code].status, headers: { ...fixed, ...own }, body };
}

/** Errors outside the catalogue become a neutral 500. */
@Catch()
export class ErrorsFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const error = withRetryAfter(toRefusal(thrown));
    const { status } = ERRORS[error.code];
    if (error.code === 'INTERNAL') this.logger.error({ err: thrown, msg: 'Request failed' });
    reply.refusal = error;
    if (reply.sent) return;
    if (error.details?.retryAfter !== undefined) reply.header('retry-after', error.details.retryAfter);
    if (error.details?.allow !== undefined) reply.header('allow', error.details.allow.join(', '));
    reply.removeHeader('etag').removeHeader('content-encoding').removeHeader('content-disposition');
    const page = failurePage(request.raw, status, request.id);
    void reply
      .status(status)
      .header('cache-control', 'no-store')
      .header('content-type', page === undefined ? JSON_TYPE : HTML)
      .send(page ?? errorBody(error, request.id));
  }
}

function toRefusal(thrown: unknown): DomainError {
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
