import { AsyncLocalStorage } from 'node:async_hooks';
import { DomainError, type Identity } from '@meetmark/contracts';

/** What all work knows about the request that it belongs to. */
export interface Call {
  /** The verified caller; null without a signed-in user, or when a process acts for itself. */
  readonly identity: Identity | null;
  readonly requestId: string;
  /** W3C trace context, passed on as it came. */
  readonly traceparent?: string;
  /** When the caller gives up: milliseconds since 1970 by this process's clock. */
  readonly deadline: number;
  /** Aborts at the deadline. */
  readonly signal: AbortSignal;
  /** Tokens by message, each valid for one message that admin passes on for a gateway of 1.0.0 (identity/passed-on-of-1.0.0.ts). */
  readonly grants?: Record<string, string[]>;
}

const storage = new AsyncLocalStorage<Call>();

/** The call that the running code works for, if any. */
export const currentCall = (): Call | undefined => storage.getStore();

/** Runs `work` as part of `call`: its log lines carry the request id, its own calls inherit identity and deadline. */
export const runInCall = <T>(call: Call, work: () => T): T => storage.run(call, work);

interface CallStart {
  identity?: Identity | null;
  requestId: string;
  traceparent?: string;
  grants?: Record<string, string[]>;
  /** Milliseconds from now. */
  timeLeft: number;
}

/** A call that begins here: an HTTP request in the gateway, a message in a service, a job in the worker. */
export class StartedCall implements Call {
  identity: Identity | null;
  readonly requestId: string;
  readonly traceparent?: string;
  readonly grants?: Record<string, string[]>;
  readonly deadline: number;
  private abort?: AbortSignal;

  constructor(start: CallStart) {
    this.identity = start.identity ?? null;
    this.requestId = start.requestId;
    this.traceparent = start.traceparent;
    this.grants = start.grants;
    this.deadline = Date.now() + start.timeLeft;
  }

  // created on demand: most handlers never use it, and each signal is a timer
  get signal(): AbortSignal {
    return (this.abort ??= AbortSignal.timeout(Math.max(0, Math.ceil(this.deadline - Date.now()))));
  }
}

/** On whose behalf the call is made. @throws DomainError UNAUTHORIZED */
export function identityOf({ identity }: Call): Identity {
  if (identity === null) throw new DomainError('UNAUTHORIZED');
  return identity;
}

export const callerId = (call: Call): string => identityOf(call).sub;
