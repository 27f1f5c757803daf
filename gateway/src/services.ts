import { DomainError, type Message } from '@meetmark/contracts';
import { currentCall, RpcClient, type CallOptions } from '@meetmark/platform';
import { Injectable } from '@nestjs/common';
import { hasHeavyTurn } from './rate-limits/heavy-calls.js';

const PAUSE = 50;
/** Retries per read. More retries could keep a failing service down. */
const RETRY_SHARE = 0.1;
const RETRY_RESERVE = 10;
/** Milliseconds to retry if a service has no database, so that people see the error within two seconds. */
const REFUSED_WITHIN = 1_700;
const LEAST = 300;

/** Option for calls whose response must not depend on the caller, for example because it is cached. */
export const ANONYMOUS = { identity: null };

@Injectable()
export class Services {
  private retriesLeft = RETRY_RESERVE;

  constructor(private readonly rpc: RpcClient) {}

  /** Sends a message in the name of the current request's caller, without retries. */
  call<Req extends object, Res>(
    message: Message<Req, Res>,
    request: Req,
    options?: CallOptions,
  ): Promise<Res> {
    requireHeavyTurn(message, options);
    return this.rpc.call(message, request, options);
  }

  /** Sends a read or an idempotent change. Retries once if a replica was lost or had no database. */
  async read<Req extends object, Res>(
    message: Message<Req, Res>,
    request: Req,
    options?: CallOptions,
  ): Promise<Res> {
    requireHeavyTurn(message, options);
    this.retriesLeft = Math.min(RETRY_RESERVE, this.retriesLeft + RETRY_SHARE);
    const began = performance.now();
    try {
      return await this.rpc.call(message, request, options);
    } catch (error) {
      if (!isWorthRepeating(error, performance.now() - began) || this.retriesLeft < 1) throw error;
      this.retriesLeft -= 1;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * PAUSE));
      if (!hadNoDatabase(error)) return this.rpc.call(message, request, options);
      const deadlineMs = REFUSED_WITHIN - (performance.now() - began);
      return this.rpc.call(message, request, { ...options, deadlineMs }).catch((again: DomainError) => {
        throw again.code === 'DEADLINE_EXCEEDED' ? error : again;
      });
    }
  }
}

/** Throws if the route lacks @Heavy(), which limits calls per account. Anonymous calls don't need it. */
function requireHeavyTurn({ heavy, name }: Message, { identity }: CallOptions = {}): void {
  const call = currentCall();
  if (heavy && call !== undefined && identity !== null && !hasHeavyTurn(call))
    throw new Error(`the route that sends ${name} needs @Heavy()`);
}

/**
 * Whether a retry may help. False if the service is overloaded or has no replicas. `took` is in milliseconds.
 */
function isWorthRepeating(error: unknown, took: number): error is DomainError {
  if (!(error instanceof DomainError)) return false;
  if (hadNoDatabase(error)) return took + PAUSE + LEAST < REFUSED_WITHIN;
  const { code, details } = error;
  return (code === 'SERVICE_UNAVAILABLE' || code === 'DEADLINE_EXCEEDED') && details?.outcome === 'unknown';
}

/** Whether the replica had no database. Worth a retry, because another replica may have one. */
const hadNoDatabase = ({ code, details }: DomainError) =>
  code === 'SERVICE_UNAVAILABLE' && details?.outcome === undefined;
