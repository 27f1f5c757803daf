import { AsyncLocalStorage } from 'node:async_hooks';
import { DomainError, type Identity } from '@meetmark/contracts';

export interface Call {
  /** The verified caller. Null for visitors and for work that a process starts by itself. */
  readonly identity: Identity | null;
  readonly requestId: string;
  readonly traceparent?: string;
  /** Milliseconds since 1970, by this process's clock. */
  readonly deadline: number;
  /** Receives the size in characters of each reply from a service. */
  readonly onReply?: (size: number) => void;
}

const storage = new AsyncLocalStorage<Call>();

export const currentCall = (): Call | undefined => storage.getStore();

export const runInCall = <T>(call: Call, work: () => T): T => storage.run(call, work);

interface CallStart {
  identity?: Identity | null;
  requestId: string;
  traceparent?: string;
  onReply?: (size: number) => void;
  /** Milliseconds. */
  timeLeft: number;
}

export class StartedCall implements Call {
  identity: Identity | null;
  readonly requestId: string;
  readonly traceparent?: string;
  readonly deadline: number;
  onReply?: (size: number) => void;

  constructor(start: CallStart) {
    this.identity = start.identity ?? null;
    this.requestId = start.requestId;
    this.traceparent = start.traceparent;
    this.onReply = start.onReply;
    this.deadline = Date.now() + start.timeLeft;
  }
}

/** @throws DomainError UNAUTHORIZED */
export function requireIdentity({ identity }: Call): Identity {
  if (identity === null) throw new DomainError('UNAUTHORIZED');
  return identity;
}

export const callerId = (call: Call): string => requireIdentity(call).sub;
