import { DomainError, type Message } from '@meetmark/contracts';
import { RpcClient, type CallOptions } from '@meetmark/platform';
import { Injectable } from '@nestjs/common';

/** Milliseconds, at most, before a read is tried again. */
const PAUSE = 50;
/** At most this share of all reads is repeated, so that repeating does not keep a failing service down. */
const RETRY_SHARE = 0.1;
const RETRY_RESERVE = 10;

/** Calls the services on behalf of the running request. */
@Injectable()
export class Services {
  private retriesLeft = RETRY_RESERVE;

  constructor(private readonly rpc: RpcClient) {}

  /** For changes: sent once. */
  call<Req extends object, Res>(
    message: Message<Req, Res>,
    request: Req,
    options?: CallOptions,
  ): Promise<Res> {
    return this.rpc.call(message, request, options);
  }

  /** For reads and idempotent changes: sent once more if a replica was lost and there is time left. */
  async read<Req extends object, Res>(
    message: Message<Req, Res>,
    request: Req,
    options?: CallOptions,
  ): Promise<Res> {
    this.retriesLeft = Math.min(RETRY_RESERVE, this.retriesLeft + RETRY_SHARE);
    try {
      return await this.rpc.call(message, request, options);
    } catch (error) {
      if (!isWorthRepeating(error) || this.retriesLeft < 1) throw error;
      this.retriesLeft -= 1;
    }
    await new Promise((resolve) => setTimeout(resolve, Math.random() * PAUSE));
    return this.rpc.call(message, request, options); // within the remaining time of the request
  }
}

/** Repeating makes an overload worse, and a service without replicas cannot answer. */
const isWorthRepeating = (error: unknown) =>
  error instanceof DomainError &&
  (error.code === 'SERVICE_UNAVAILABLE' || error.code === 'DEADLINE_EXCEEDED') &&
  error.details?.outcome === 'unknown';
