import type { User } from '@meetmark/contracts';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { DomainError } from '@meetmark/contracts';
import type { StartedCall } from '@meetmark/platform';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Carries request id, deadline and identity to everything that this request causes. */
    call: StartedCall;
    /** The user of a valid session. */
    caller: User | null;
  }
}

/** The signed-in user who makes the request. Only on routes whose access is 'member' or 'admin'. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): User => {
  const { caller } = context.switchToHttp().getRequest<FastifyRequest>();
  if (caller === null) throw new DomainError('UNAUTHORIZED');
  return caller;
});
