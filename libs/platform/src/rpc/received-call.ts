import { StartedCall } from './call.js';
import type { WireRequest } from './wire.js';

/** A call that came in as a message; its identity is set once the token has been verified. */
export class ReceivedCall extends StartedCall {
  readonly token: string | undefined;

  constructor(request: WireRequest, timeLeft: number) {
    super({ requestId: request.headers.requestId, traceparent: request.headers.traceparent, timeLeft });
    this.token = request.headers.token;
  }
}
