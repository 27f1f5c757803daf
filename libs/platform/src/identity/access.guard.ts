import type { ExecutionContext } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { DomainError, type Access, type Identity, type Message } from '@meetmark/contracts';
import { ISSUER } from '../rpc/message-keys.js';
import type { ReceivedCall } from '../rpc/received-call.js';
import { digestOf } from './digest.js';
import { confirmAdministrator } from './rights.js';
import { identityStrategy, knownCaller, type TokenBearer, type VerifiedCaller } from './identity.strategy.js';

/** Verifies for whom a message is sent, whatever the message, and then whether that caller may send it. */
export class AccessGuard extends AuthGuard() {
  constructor(private readonly message: Pick<Message, 'service' | 'access'>) {
    super({ defaultStrategy: identityStrategy(message.service) });
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const call = context.switchToRpc().getContext<ReceivedCall>();
    await this.identify(call, context);
    const { access, service } = this.message;
    allow(access, call.identity);
    if (access === 'admin' && call.identity !== null) await confirmAdministrator(service, call.identity.sub);
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
    context.switchToRpc().getContext<ReceivedCall>().verified = caller;
    return caller as Caller;
  }

  /** Only the process that knows sessions may send for nobody, or for somebody as often as it likes: the others need a grant. */
  private async identify(call: ReceivedCall, context: ExecutionContext): Promise<void> {
    const { token, sender } = call;
    if (token === undefined && sender === ISSUER) return;
    const known = sender === ISSUER ? knownCaller(this.message.service, token ?? '') : undefined;
    if (known !== undefined) call.verified = known;
    else await super.canActivate(context);
    if (sender === ISSUER ? call.verified?.grant !== undefined : !(await isGranted(call)))
      throw new DomainError('UNAUTHORIZED');
    call.identity = call.verified?.identity ?? null;
  }
}

/** For exactly this message, and for the first time. */
async function isGranted(call: ReceivedCall): Promise<boolean> {
  const { grant, expires } = call.verified ?? {};
  if (grant === undefined || expires === undefined) return false;
  const { pattern, data } = call.request;
  const fits =
    grant.message === pattern && grant.requestId === call.requestId && grant.digest === digestOf(data);
  return fits && (await call.isFirst(grant.id, expires * 1_000));
}

/** `internal` and `public` may be sent for nobody: only our own processes can send a message at all. */
function allow(access: Access, identity: Identity | null): void {
  if (access === 'public' || access === 'internal') return;
  if (identity === null) throw new DomainError('UNAUTHORIZED');
  if (access === 'admin' && !identity.isAdmin) throw new DomainError('FORBIDDEN');
}
