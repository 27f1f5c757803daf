import { Catch, Logger, type RpcExceptionFilter } from '@nestjs/common';
import { DomainError } from '@meetmark/contracts';
import { throwError, type Observable } from 'rxjs';
import { mapDatabaseError } from '../database/database-errors.js';

/** Known refusals pass, database refusals are translated, everything else is logged here and leaves as a neutral INTERNAL. */
@Catch()
export class RefusalFilter implements RpcExceptionFilter {
  private readonly logger = new Logger('Rpc');

  catch(error: unknown): Observable<never> {
    const refusal = asDomainError(error);
    if (refusal.code === 'INTERNAL') this.logger.error({ err: error, msg: 'a handler failed' });
    return throwError(() => refusal);
  }
}

export function asDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  const mapped = mapDatabaseError(error);
  return mapped instanceof DomainError ? mapped : new DomainError('INTERNAL', undefined, { cause: error });
}
