import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { normaliseEmail } from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { GatewayConfig } from '../gateway.config.js';
import { cookieName, setCookie } from './session-plugin.js';

const COOKIE = 'meetmark_device';
/** Seconds. */
const LIFETIME = 180 * 24 * 3_600;
const ID_BYTES = 12;
const MARK_BYTES = 16;
/** Accounts that one browser is remembered for: the newest. */
const ACCOUNTS = 5;

/**
 * Browsers that have signed in to an account before. Guesses made elsewhere never keep such a browser out: its attempts are
 * counted by themselves. The cookie holds a random id and one mark for each account, which without our secret tells nothing.
 */
@Injectable()
export class KnownDevices {
  constructor(private readonly config: GatewayConfig) {}

  /** The browser's id when it has signed in to the account with this address before; else null. */
  idOf(request: FastifyRequest, email: string): string | null {
    const { id, marks } = this.read(request);
    if (id === undefined) return null;
    const own = this.config.sessionSecrets.map((secret) => markOf(secret, id, email));
    return marks.some((mark) => own.some((other) => isSame(mark, other))) ? id : null;
  }

  /** Once somebody is in. */
  remember(request: FastifyRequest, email: string): void {
    const { id = randomBytes(ID_BYTES).toString('base64url'), marks } = this.read(request);
    const mark = markOf(this.config.sessionSecrets[0]!, id, email);
    const kept = [mark, ...marks.filter((other) => other !== mark)].slice(0, ACCOUNTS);
    setCookie(request, COOKIE, { value: [id, ...kept].join('.'), maxAge: LIFETIME });
  }

  private read(request: FastifyRequest): { id?: string; marks: string[] } {
    const [id = '', ...marks] = (request.cookies[cookieName(this.config, COOKIE)] ?? '').split(
      '.',
      ACCOUNTS + 1,
    );
    return /^[\w-]{16}$/.test(id) ? { id, marks } : { marks: [] };
  }
}

const markOf = (secret: string, id: string, email: string) =>
  createHmac('sha256', secret)
    .update(`device:${id}:${normaliseEmail(email)}`)
    .digest()
    .subarray(0, MARK_BYTES)
    .toString('base64url');

const isSame = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
