import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  BeginSecondStep,
  DomainError,
  FLOW_SECRET,
  FLOW_SECRET_BYTES,
  normaliseEmail,
  SECOND_FACTOR,
  type AskedPurpose,
  type Asker,
  type Community,
  type SessionUser,
  type WantedPlace,
} from '@meetmark/contracts';
import { InjectCommunity, RpcClient } from '@meetmark/platform';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { GatewayConfig } from '../gateway.config.js';
import { cookieName, readCookie, readerLocale, setCookie } from '../http/session.js';
import { wideNetwork } from '../networks.js';
import { ANONYMOUS } from '../services.js';

const DEVICE_COOKIE = 'meetmark_device';
/** Seconds. */
const DEVICE_LIFETIME = 180 * 24 * 3_600;
const ID_BYTES = 12;
const MARK_BYTES = 16;
/** The most accounts that one cookie remembers; the newest stay. */
const ACCOUNTS = 5;

/**
 * Browsers that have signed in to an account before. Guesses made elsewhere never lock such a browser out, because its attempts are
 * counted separately. The cookie holds a random id and one keyed mark for each account, which means nothing without the secret.
 */
@Injectable()
export class KnownDevices {
  constructor(private readonly config: GatewayConfig) {}

  /** The browser's id if it has signed in to the account with this address before; else null. */
  idOf(request: FastifyRequest, email: string): string | null {
    const { id, marks } = this.read(request);
    if (id === undefined) return null;
    const own = this.config.sessionSecrets.map((secret) => markOf(secret, id, email));
    return marks.some((mark) => own.some((other) => isSame(mark, other))) ? id : null;
  }

  /** After a sign-in. */
  remember(request: FastifyRequest, email: string): void {
    const { id = randomBytes(ID_BYTES).toString('base64url'), marks } = this.read(request);
    const mark = markOf(this.config.sessionSecrets[0]!, id, email);
    const kept = [mark, ...marks.filter((other) => other !== mark)].slice(0, ACCOUNTS);
    setCookie(request, DEVICE_COOKIE, { value: [id, ...kept].join('.'), maxAge: DEVICE_LIFETIME });
  }

  private read(request: FastifyRequest): { id?: string; marks: string[] } {
    const [id = '', ...marks] = (readCookie(request, cookieName(this.config, DEVICE_COOKIE)) ?? '').split(
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

/** Seconds: as long as the service keeps a flow. */
const FLOW_LIFETIME = 24 * 3_600;

const nameOf = (purpose: AskedPurpose) => `meetmark_flow_${purpose}`;

/** A mailed code belongs to the browser that requested it: a cookie for each purpose identifies that browser. */
@Injectable()
export class FlowCookies {
  constructor(
    private readonly config: GatewayConfig,
    @InjectCommunity() private readonly community: Community,
    private readonly devices: KnownDevices,
  ) {}

  /** The secret of the browser's flow; null if it has not requested a code. */
  secretOf(request: FastifyRequest, purpose: AskedPurpose): string | null {
    const value = readCookie(request, cookieName(this.config, nameOf(purpose))) ?? '';
    return FLOW_SECRET.test(value) ? value : null;
  }

  /**
   * For a request for a code: the browser keeps its cookie or gets a new one.
   * @param email of the account that the code is for
   */
  begin(request: FastifyRequest, purpose: AskedPurpose, email: string): Asker {
    const browser = this.secretOf(request, purpose) ?? newSecret();
    setCookie(request, nameOf(purpose), { value: browser, maxAge: FLOW_LIFETIME });
    return {
      ...askerOf(request, browser, this.community),
      device: this.devices.idOf(request, email) ?? undefined,
    };
  }

  /** Who sends a request with a code. A browser without a flow gets an unknown secret, so that the service does the same work. */
  present(request: FastifyRequest, purpose: AskedPurpose): Asker {
    return askerOf(request, this.secretOf(request, purpose) ?? newSecret(), this.community);
  }

  end(request: FastifyRequest, purpose: AskedPurpose): void {
    setCookie(request, nameOf(purpose), null);
  }
}

function askerOf(request: FastifyRequest, browser: string, community: Community): Asker {
  return { browser, network: wideNetwork(request.ip), locale: readerLocale(request, community) };
}

const newSecret = () => randomBytes(FLOW_SECRET_BYTES).toString('base64url');

const PENDING_COOKIE = 'meetmark_pending';

/** Sign-ins after their first step: an HttpOnly cookie keeps the token for the second one. */
@Injectable()
export class PendingSignIns {
  constructor(
    private readonly config: GatewayConfig,
    private readonly rpc: RpcClient,
  ) {}

  /**
   * @param wanted a registration that is made once the second step was taken
   * @throws DomainError SECOND_FACTOR_REQUIRED when the account has a second factor
   */
  async requireSecondStep(
    request: FastifyRequest,
    { user }: SessionUser,
    wanted?: WantedPlace,
  ): Promise<void> {
    if (!user.hasSecondFactor) return;
    const pending = await this.rpc.call(BeginSecondStep, { userId: user.id, wanted }, ANONYMOUS);
    if (pending === null) return; // the last factor was removed meanwhile
    setCookie(request, PENDING_COOKIE, { value: pending.token, maxAge: SECOND_FACTOR.pendingLife / 1_000 });
    throw new DomainError('SECOND_FACTOR_REQUIRED', { methods: pending.methods });
  }

  /** @throws DomainError SECOND_FACTOR_EXPIRED when this browser has taken no first step */
  tokenOf(request: FastifyRequest): string {
    const token = readCookie(request, cookieName(this.config, PENDING_COOKIE));
    if (!token) throw new DomainError('SECOND_FACTOR_EXPIRED');
    return token;
  }

  forget(request: FastifyRequest): void {
    setCookie(request, PENDING_COOKIE, null);
  }
}
