import { DomainError, type Message } from '@meetmark/contracts';
import { RpcClient, type CallOptions } from '@meetmark/platform';
import { Injectable } from '@nestjs/common';

/** Milliseconds, at most, before a read is tried again. */
const PAUSE = 50;
/** At most this share of all reads is repeated, so that repeating does not keep a failing service down. */
const RETRY_SHARE = 0.1;
const RETRY_RESERVE = 10;
/** Milliseconds after which a read without a database is refused, even if its repetition still waits: people read the refusal within two seconds. */
const REFUSED_WITHIN = 1_700;
/** Milliseconds that a repetition needs. */
const LEAST = 300;

/** For calls whose answer does not depend on the caller, so that it may be cached. */
export const ANONYMOUS = { identity: null };

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

  /** For reads and idempotent changes: sent once more if a replica was lost or had no database, and there is time left. */
  async read<Req extends object, Res>(
    message: Message<Req, Res>,
    request: Req,
    options?: CallOptions,
  ): Promise<Res> {
    this.retriesLeft = Math.min(RETRY_RESERVE, this.retriesLeft + RETRY_SHARE);
    const began = performance.now();
    try {
      return await this.rpc.call(message, request, options);
    } catch (error) {
      if (!isWorthRepeating(error, performance.now() - began) || this.retriesLeft < 1) throw error;
      this.retriesLeft -= 1;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * PAUSE));
      if (!hadNoDatabase(error)) return this.rpc.call(message, request, options); // within the remaining time of the request
      const deadlineMs = REFUSED_WITHIN - (performance.now() - began);
      return this.rpc.call(message, request, { ...options, deadlineMs }).catch((again: DomainError) => {
        throw again.code === 'DEADLINE_EXCEEDED' ? error : again;
      });
    }
  }
}

/** Repeating makes an overload worse, and a service without replicas cannot answer. @param took milliseconds */
function isWorthRepeating(error: unknown, took: number): error is DomainError {
  if (!(error instanceof DomainError)) return false;
  if (hadNoDatabase(error)) return took + PAUSE + LEAST < REFUSED_WITHIN;
  const { code, details } = error;
  return (code === 'SERVICE_UNAVAILABLE' || code === 'DEADLINE_EXCEEDED') && details?.outcome === 'unknown';
}

/** The refusal of the service itself; those of the transport tell the outcome. Another replica, or this one a moment later, may have a connection. */
const hadNoDatabase = ({ code, details }: DomainError) =>
  code === 'SERVICE_UNAVAILABLE' && details?.outcome === undefined;
