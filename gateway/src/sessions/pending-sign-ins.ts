import { BeginSecondStep, DomainError, SECOND_FACTOR, type SessionUser } from '@meetmark/contracts';
import { RpcClient } from '@meetmark/platform';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { GatewayConfig } from '../gateway.config.js';
import { cookieName, setCookie } from './session-plugin.js';

const COOKIE = 'meetmark_pending';

/** Sign-ins whose first step was taken: the browser keeps the token of the second one in a cookie that no script sees. */
@Injectable()
export class PendingSignIns {
  constructor(
    private readonly config: GatewayConfig,
    private readonly rpc: RpcClient,
  ) {}

  /** @throws DomainError SECOND_FACTOR_REQUIRED when the account has a second factor */
  async requireSecondStep(request: FastifyRequest, { user }: SessionUser): Promise<void> {
    if (!user.hasSecondFactor) return;
    const pending = await this.rpc.call(BeginSecondStep, { userId: user.id }, { identity: null });
    if (pending === null) return; // the last factor was removed meanwhile
    setCookie(request, COOKIE, { value: pending.token, maxAge: SECOND_FACTOR.pendingLife / 1_000 });
    throw new DomainError('SECOND_FACTOR_REQUIRED', { methods: pending.methods });
  }

  /** @throws DomainError SECOND_FACTOR_EXPIRED when this browser has taken no first step */
  tokenOf({ cookies }: FastifyRequest): string {
    const token = cookies[cookieName(this.config, COOKIE)];
    if (!token) throw new DomainError('SECOND_FACTOR_EXPIRED');
    return token;
  }

  forget(request: FastifyRequest): void {
    setCookie(request, COOKIE, null);
  }
}
