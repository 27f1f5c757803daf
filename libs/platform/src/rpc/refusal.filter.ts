import { Catch, Logger, type RpcExceptionFilter } from '@nestjs/common';
import { DomainError, ERRORS } from '@meetmark/contracts';
import { throwError, type Observable } from 'rxjs';
import { mapDatabaseError } from '../database/database-errors.js';

/** Milliseconds within which a handler tells only the first of its troubles: an outage has thousands. */
const TOLD_EVERY = 1_000;
const SERVER_ERROR = 500;

/** Known refusals pass, database refusals are translated, everything else is logged here and leaves as a neutral INTERNAL. */
@Catch()
export class RefusalFilter implements RpcExceptionFilter {
  private readonly logger = new Logger('Rpc');
  private quietUntil = 0;

  catch(error: unknown): Observable<never> {
    const refusal = asDomainError(error);
    if (refusal.code === 'INTERNAL') this.logger.error({ err: error, msg: 'a handler failed' });
    else if (ERRORS[refusal.code].status >= SERVER_ERROR) this.tell(refusal);
    return throwError(() => refusal);
  }

  /** Whoever is refused is not told the cause. */
  private tell({ code, cause }: DomainError): void {
    if (cause === undefined || performance.now() < this.quietUntil) return;
    this.quietUntil = performance.now() + TOLD_EVERY;
    this.logger.warn({ err: cause, msg: `a handler refuses: ${code}` });
  }
}

export function asDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  const mapped = mapDatabaseError(error);
  return mapped instanceof DomainError ? mapped : new DomainError('INTERNAL', undefined, { cause: error });
}
