import { DomainError } from '@meetmark/contracts';
import type { Call } from '@meetmark/platform';

/** The signed-in caller's user id. @throws DomainError UNAUTHORIZED */
export function callerId({ identity }: Call): string {
  if (identity === null) throw new DomainError('UNAUTHORIZED');
  return identity.sub;
}
