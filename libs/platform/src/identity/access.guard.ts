import type { ExecutionContext } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { DomainError, type Access, type Identity, type Message } from '@meetmark/contracts';
import type { ReceivedCall } from '../rpc/received-call.js';
import { identityStrategy, knownCaller, type TokenBearer, type VerifiedCaller } from './identity.strategy.js';

/** Verifies the token of a message, whatever the message, and then whether that caller may send it. */
export class AccessGuard extends AuthGuard() {
  constructor(private readonly message: Pick<Message, 'service' | 'access'>) {
    super({ defaultStrategy: identityStrategy(message.service) });
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const call = context.switchToRpc().getContext<ReceivedCall>();
    const known = knownCaller(this.message.service, call.token);
    if (known !== undefined) call.identity = known.identity;
    else await super.canActivate(context);
    allow(this.message.access, call.identity);
    return true;
  }

  override getRequest(context: ExecutionContext): TokenBearer {
    return { token: context.switchToRpc().getContext<ReceivedCall>().token };
  }

  override handleRequest<Caller>(
    error: unknown,
    caller: VerifiedCaller | false,
    _info: unknown,
    context: ExecutionContext,
  ): Caller {
    if (error || !caller) throw new DomainError('UNAUTHORIZED', undefined, { cause: error });
    context.switchToRpc().getContext<ReceivedCall>().identity = caller.identity;
    return caller as Caller;
  }
}

/** `internal` and `public` need a valid token and no more: only our own processes can sign one. */
function allow(access: Access, identity: Identity | null): void {
  if (access === 'public' || access === 'internal') return;
  if (identity === null) throw new DomainError('UNAUTHORIZED');
  if (access === 'admin' && !identity.isAdmin) throw new DomainError('FORBIDDEN');
}
