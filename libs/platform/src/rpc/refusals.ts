import { DomainError } from '@meetmark/contracts';

const RETRY_AFTER = 1;

/** The transport's own refusals. `not-started` may be repeated by whoever likes, `unknown` only if repeating is harmless. */
export const refusals = {
  noRedis: (cause?: unknown) => unavailable('not-started', cause),
  noReplica: () => unavailable('not-started'),
  connectionLost: (cause?: unknown) => unavailable('unknown', cause),
  replyLost: () => unavailable('unknown'),
  stopping: () => unavailable('not-started'),
  queueFull: () => new DomainError('SERVICE_OVERLOADED', { outcome: 'not-started', retryAfter: RETRY_AFTER }),
  tooLate: (outcome: 'not-started' | 'unknown') =>
    new DomainError('DEADLINE_EXCEEDED', { outcome, retryAfter: RETRY_AFTER }),
};

function unavailable(outcome: 'not-started' | 'unknown', cause?: unknown): DomainError {
  return new DomainError('SERVICE_UNAVAILABLE', { outcome, retryAfter: RETRY_AFTER }, { cause });
}
