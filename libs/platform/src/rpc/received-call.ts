import type { VerifiedCaller } from '../identity/identity.strategy.js';
import { StartedCall } from './call.js';
import type { CallerName } from './message-keys.js';
import type { WireRequest } from './wire.js';

/** A call that came in as a message; its identity is set once it has been verified. */
export class ReceivedCall extends StartedCall {
  verified?: VerifiedCaller;

  constructor(
    readonly request: WireRequest,
    /** The process that has signed the message. */
    readonly sender: CallerName,
    timeLeft: number,
    /** Whether nothing with this id has been begun before, by any replica; `until` is by Redis's clock. */
    readonly isFirst: (id: string, until: number) => Promise<boolean>,
  ) {
    const { requestId, traceparent, grants } = request.headers;
    super({ requestId, traceparent, grants, timeLeft });
  }

  get token(): string | undefined {
    return this.request.headers.token;
  }
}
