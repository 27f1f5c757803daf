import {
  applyDecorators,
  Catch,
  type ExecutionContext,
  Logger,
  type PipeTransform,
  type RpcExceptionFilter,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import {
  type Access,
  DomainError,
  ERRORS,
  type Identity,
  type Message,
  type RequestClass,
  requireFreshSignIn,
} from '@meetmark/contracts';
import { type Observable, throwError } from 'rxjs';
import { AuthGuard } from '@nestjs/passport';
import { type Call, StartedCall } from '../call/call.js';
import { asDomainError } from '../database/database-errors.js';
import {
  identityStrategy,
  knownCaller,
  type TokenBearer,
  type VerifiedCaller,
} from '../identity/identity.strategy.js';
import { type CallerName, ISSUER } from '../identity/message-signing.js';
import { isGranted } from '../identity/passed-on-of-1.0.0.js';
import { confirmRight } from '../identity/rights.js';
import type { WireRequest } from './protocol.js';
import { validated } from './validation.js';

type Handler<Req, Res> = (request: Req, call: Call) => Res | Promise<Res>;

/**
 * Makes a method of a @Controller() the handler of `message`. It receives the validated request and the call, after the guard has
 * verified the caller's identity and `message.access`. The parts are composed here, so that no global setting can be forgotten.
 */
export function Handles<Req extends object, Res>(message: Message<Req, Res>) {
  return <H extends Handler<Req, Res>>(
    target: object,
    method: string,
    descriptor: TypedPropertyDescriptor<H>,
  ): void => {
    Payload(new ContractPipe(message.request))(target, method, 0);
    Ctx()(target, method, 1);
    applyDecorators(
      MessagePattern(message.name),
      UseGuards(new AccessGuard(message)),
      UseFilters(new RefusalFilter()),
    )(target, method, descriptor);
  };
}

class ContractPipe implements PipeTransform {
  constructor(private readonly type: RequestClass) {}

  transform(value: unknown): Promise<object> {
    return validated(this.type, value);
  }
}

/** A handler logs one failure in this many milliseconds: an outage has thousands. */
const LOG_INTERVAL = 1_000;
const SERVER_ERROR = 500;

/** Passes known refusals on, translates those of the database, and logs everything else, which leaves as a neutral INTERNAL. */
@Catch()
export class RefusalFilter implements RpcExceptionFilter {
  private readonly logger = new Logger('Rpc');
  private quietUntil = 0;

  catch(error: unknown): Observable<never> {
    const refusal = asDomainError(error);
    if (refusal.code === 'INTERNAL') this.logger.error({ err: error, msg: 'a handler failed' });
    else if (ERRORS[refusal.code].status >= SERVER_ERROR) this.warn(refusal);
    return throwError(() => refusal);
  }

  /** The cause goes to the log only, never to the caller. */
  private warn({ code, cause }: DomainError): void {
    if (cause === undefined || performance.now() < this.quietUntil) return;
    this.quietUntil = performance.now() + LOG_INTERVAL;
    this.logger.warn({ err: cause, msg: `a handler refuses: ${code}` });
  }
}

/** Verifies on whose behalf a message is sent, then whether that caller may send it. */
export class AccessGuard extends AuthGuard() {
  constructor(private readonly message: Pick<Message, 'service' | 'access' | 'fresh'>) {
    super({ defaultStrategy: identityStrategy(message.service) });
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const call = context.switchToRpc().getContext<ReceivedCall>();
    await this.identify(call, context);
    const { access, service, fresh } = this.message;
    allow(access, call.identity);
    if (fresh) requireFreshSignIn(call.identity);
    if ((access === 'admin' || access === 'organiser' || access === 'manager') && call.identity !== null)
      await confirmRight(service, call.identity, { access, data: call.request.data });
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

  /** Only the gateway, which knows the sessions, may send without a caller or reuse a token: admin needs a grant for what it passes on. */
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

/** `internal` and `public` messages need no caller: only our own processes can send a message at all. */
function allow(access: Access, identity: Identity | null): void {
  if (access === 'public' || access === 'internal') return;
  if (identity === null) throw new DomainError('UNAUTHORIZED');
  if (identity.isAdmin) return;
  if (access === 'admin' || (access === 'organiser' && !identity.isOrganiser))
    throw new DomainError('FORBIDDEN');
}

/** A call that arrived as a message; the guard sets its identity. */
export class ReceivedCall extends StartedCall {
  verified?: VerifiedCaller;

  constructor(
    readonly request: WireRequest,
    /** The process that signed the message. */
    readonly sender: CallerName,
    timeLeft: number,
    /** Whether no replica began anything with this id before; `until` is by Redis's clock. */
    readonly isFirst: (id: string, until: number) => Promise<boolean>,
  ) {
    const { requestId, traceparent, grants } = request.headers;
    super({ requestId, traceparent, grants, timeLeft });
  }

  get token(): string | undefined {
    return this.request.headers.token;
  }
}
