import { DomainError } from '@meetmark/contracts';
import type { Call } from '@meetmark/platform';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GatewayRedis } from '../redis/gateway-redis.js';
import { type EndTurn, takeTurn } from './account-turns.js';
import { limited } from './rate-limiter.js';

/** Maximum concurrent calls per account, over all gateways. */
const AT_ONCE = 2;
/** Maximum waiting calls per account and gateway. */
const WAITING = 8;
/** Milliseconds until a turn expires if its gateway crashes or its download is slow. */
const LONGEST = 30_000;
const RETRY_AFTER = 1_000;

const heavy = new WeakSet<Call>();

export const hasHeavyTurn = (call: Call): boolean => heavy.has(call);

@Injectable()
export class HeavyCalls {
  private readonly waiting = new Map<string, number>();

  constructor(private readonly redis: GatewayRedis) {}

  /** Takes a turn only after the body has arrived, so that slow clients don't keep turns. */
  watch(server: FastifyInstance): void {
    server.addHook('preHandler', async (request, reply) => {
      if (!request.routeOptions.config.heavy) return;
      heavy.add(request.call);
      if (request.caller !== null) await this.run(request, request.caller.id, reply);
    });
  }

  private async run({ call }: FastifyRequest, account: string, { raw }: FastifyReply): Promise<void> {
    const end = await this.take(account);
    if (raw.closed) {
      await end(0);
      throw limited(RETRY_AFTER);
    }
    // After a disconnect, the turn stays taken until the service has answered, or until the deadline.
    const { onReply } = call;
    call.onReply = (size) => {
      onReply?.(size);
      if (raw.closed) void end(0);
    };
    raw.once('close', () => {
      if (raw.writableFinished) void end(0);
      else setTimeout(() => void end(0), call.deadline - Date.now()).unref();
    });
  }

  private async take(account: string): Promise<EndTurn> {
    const waiting = this.waiting.get(account) ?? 0;
    if (waiting >= WAITING) throw limited(RETRY_AFTER);
    this.waiting.set(account, waiting + 1);
    const keys = Array.from({ length: AT_ONCE }, (_, n) => `limit:heavy:${account}:${n}`);
    try {
      return await takeTurn(this.redis, keys, LONGEST);
    } catch (error) {
      // Without Redis, concurrent heavy calls aren't limited.
      if (error instanceof DomainError && error.code === 'SERVICE_UNAVAILABLE') return async () => undefined;
      throw error;
    } finally {
      const left = this.waiting.get(account)! - 1;
      if (left === 0) this.waiting.delete(account);
      else this.waiting.set(account, left);
    }
  }
}
