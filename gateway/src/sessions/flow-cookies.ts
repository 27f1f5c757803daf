import { randomBytes } from 'node:crypto';
import { FLOW_SECRET, FLOW_SECRET_BYTES, type Asker, type FlowPurpose } from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { GatewayConfig } from '../gateway.config.js';
import { wideNetwork } from '../limits/network.js';
import { cookieName, setCookie } from './session-plugin.js';

/** Seconds: as long as the service keeps what was asked. */
const LIFETIME = 24 * 3_600;

const nameOf = (purpose: FlowPurpose) => `meetmark_flow_${purpose}`;

/** A browser's codes are its own: a cookie for each purpose says which browser asked. */
@Injectable()
export class FlowCookies {
  constructor(private readonly config: GatewayConfig) {}

  /** The secret of the browser's flow; null when it never asked. */
  secretOf(request: FastifyRequest, purpose: FlowPurpose): string | null {
    const value = request.cookies[cookieName(this.config, nameOf(purpose))] ?? '';
    return FLOW_SECRET.test(value) ? value : null;
  }

  /** For a request that asks for a code: the browser keeps the cookie that it has, or is given one. */
  begin(request: FastifyRequest, purpose: FlowPurpose): Asker {
    const browser = this.secretOf(request, purpose) ?? newSecret();
    setCookie(request, nameOf(purpose), { value: browser, maxAge: LIFETIME });
    return { browser, network: wideNetwork(request.ip) };
  }

  /** For a request that tries a code. A browser that never asked is tried as one that nobody knows, with the same work. */
  present(request: FastifyRequest, purpose: FlowPurpose): Asker {
    return { browser: this.secretOf(request, purpose) ?? newSecret(), network: wideNetwork(request.ip) };
  }

  end(request: FastifyRequest, purpose: FlowPurpose): void {
    setCookie(request, nameOf(purpose), null);
  }
}

const newSecret = () => randomBytes(FLOW_SECRET_BYTES).toString('base64url');
