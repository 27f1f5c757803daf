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
import { confirmRight } from '../identity/rights.js';
import type { WireRequest } from './protocol.js';
import { validated } from './validation.js';

type Handler<Req, Res> = (request: Req, call: Call) => Res | Promise<Res>;

/**
 * Registers a handler together with the checks of caller, rights and fields. Checks registered elsewhere
 * could be forgotten.
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
    // Callers of a newer version may send more fields.
    return validated(this.type, value, { unknownFields: 'removed' });
  }
}

/** Minimum milliseconds between two logged failures, because an outage causes thousands of failures. */
const LOG_INTERVAL = 1_000;
const SERVER_ERROR = 500;

@Catch()
export class RefusalFilter implements RpcExceptionFilter {
  private readonly logger = new Logger('Rpc');
  private quietUntil = 0;

  catch(error: unknown): Observable<never> {
    const refusal = asDomainError(error);
    if (refusal.code === 'INTERNAL') this.logger.error({ err: error, msg: 'Handler failed' });
    else if (ERRORS[refusal.code].status >= SERVER_ERROR) this.warn(refusal);
    return throwError(() => refusal);
  }

  private warn({ code, cause }: DomainError): void {
    if (cause === undefined || performance.now() < this.quietUntil) return;
    this.quietUntil = performance.now() + LOG_INTERVAL;
    this.logger.warn({ err: cause, msg: `Handler refused a message: ${code}` });
  }
}

export class AccessGuard extends AuthGuard() {
  constructor(private readonly message: Pick<Message, 'service' | 'access' | 'fresh'>) {
    super({ defaultStrategy: identityStrategy(message.service) });
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const call = context.switchToRpc().getContext<ReceivedCall>();
    await this.identify(call, context);
    const { access, service, fresh } = this.message;
    allow(access, call.identity);
    if (fresh) requireFreshSignIn(call.identity, fresh);
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

  private async identify(call: ReceivedCall, context: ExecutionContext): Promise<void> {
    const { token } = call;
    if (token === undefined) return;
    const known = knownCaller(this.message.service, token);
    if (known !== undefined) call.verified = known;
    else await super.canActivate(context);
    call.identity = call.verified?.identity ?? null;
  }
}

/** `internal` and `public` messages need no identity, because only Meetmark's processes can send messages. */
function allow(access: Access, identity: Identity | null): void {
  if (access === 'public' || access === 'internal') return;
  if (identity === null) throw new DomainError('UNAUTHORIZED');
  if (identity.isAdmin) return;
  if (access === 'admin' || (access === 'organiser' && !identity.isOrganiser))
    throw new DomainError('FORBIDDEN');
}

export class ReceivedCall extends StartedCall {
  verified?: VerifiedCaller;

  constructor(
    readonly request: WireRequest,
    timeLeft: number,
  ) {
    const { requestId, traceparent } = request.headers;
    super({ requestId, traceparent, timeLeft });
  }

  get token(): string | undefined {
    return this.request.headers.token;
  }
}
