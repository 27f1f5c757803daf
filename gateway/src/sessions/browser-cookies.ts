import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  BeginRestoring,
  BeginSecondStep,
  DomainError,
  FLOW_SECRET,
  FLOW_SECRET_BYTES,
  normaliseEmail,
  SECOND_FACTOR,
  type AskedPurpose,
  type Asker,
  type SessionUser,
  type WantedPlace,
} from '@meetmark/contracts';
import { InjectCommunity, type PresentCommunity, RpcClient } from '@meetmark/platform';
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
const ACCOUNTS = 5;

/**
 * Recognises browsers that have signed in to an account before. Rate limits count them separately, so that
 * guesses in other browsers can't lock them out. The cookie has a random id and a keyed mark per account.
 */
@Injectable()
export class KnownDevices {
  constructor(private readonly config: GatewayConfig) {}

  getDeviceId(request: FastifyRequest, email: string): string | null {
    const { id, marks } = this.read(request);
    if (id === undefined) return null;
    const own = this.config.sessionSecrets.map((secret) => computeMark(secret, id, email));
    return marks.some((mark) => own.some((other) => isSame(mark, other))) ? id : null;
  }

  remember(request: FastifyRequest, email: string): void {
    const { id = randomBytes(ID_BYTES).toString('base64url'), marks } = this.read(request);
    const mark = computeMark(this.config.sessionSecrets[0]!, id, email);
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

const computeMark = (secret: string, id: string, email: string) =>
  marked(secret, `device:${id}:${normaliseEmail(email)}`);

const markOfFlow = (secret: string, purpose: AskedPurpose, flow: string) =>
  marked(secret, `flow:${purpose}:${flow}`);

const marked = (secret: string, text: string) =>
  createHmac('sha256', secret).update(text).digest().subarray(0, MARK_BYTES).toString('base64url');

function isSame(one: string, other: string): boolean {
  const [bytes, expected] = [Buffer.from(one), Buffer.from(other)];
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

/** Seconds. The auth service keeps a flow for the same time. */
const FLOW_LIFETIME = 24 * 3_600;

const getCookieName = (purpose: AskedPurpose) => `meetmark_flow_${purpose}`;

/** Ties a code to the browser that requested it. A keyed mark shows that we issued the cookie. */
@Injectable()
export class FlowCookies {
  constructor(
    private readonly config: GatewayConfig,
    @InjectCommunity() private readonly community: PresentCommunity,
    private readonly devices: KnownDevices,
  ) {}

  getSecret(request: FastifyRequest, purpose: AskedPurpose): string | null {
    return this.read(request, purpose)?.secret ?? null;
  }

  /** Returns a key that identifies the flow without containing its secret. */
  getKey(request: FastifyRequest, purpose: AskedPurpose): string | null {
    return this.read(request, purpose)?.mark ?? null;
  }

  private read(request: FastifyRequest, purpose: AskedPurpose): { secret: string; mark: string } | null {
    const cookie = readCookie(request, cookieName(this.config, getCookieName(purpose))) ?? '';
    const [secret = '', mark = ''] = cookie.split('.', 2);
    const isOurs = this.config.sessionSecrets.some((key) => isSame(mark, markOfFlow(key, purpose, secret)));
    return FLOW_SECRET.test(secret) && isOurs ? { secret, mark } : null;
  }

  begin(request: FastifyRequest, purpose: AskedPurpose, email: string): Asker {
    const browser = this.getSecret(request, purpose) ?? newSecret();
    const mark = markOfFlow(this.config.sessionSecrets[0]!, purpose, browser);
    setCookie(request, getCookieName(purpose), { value: `${browser}.${mark}`, maxAge: FLOW_LIFETIME });
    return {
      ...toClient(request, browser, this.community),
      device: this.devices.getDeviceId(request, email) ?? undefined,
    };
  }

  /** Invents a secret if the browser has no flow, so that the response time reveals nothing. */
  present(request: FastifyRequest, purpose: AskedPurpose): Asker {
    return toClient(request, this.getSecret(request, purpose) ?? newSecret(), this.community);
  }

  /** For calls that may create an account. Their forms say that people agree to the legal pages. */
  agreeing(asker: Asker): Asker {
    return { ...asker, legal: this.community.legalVersions };
  }

  end(request: FastifyRequest, purpose: AskedPurpose): void {
    setCookie(request, getCookieName(purpose), null);
  }
}

function toClient(request: FastifyRequest, browser: string, community: PresentCommunity): Asker {
  return { browser, network: wideNetwork(request.ip), locale: readerLocale(request, community) };
}

const newSecret = () => randomBytes(FLOW_SECRET_BYTES).toString('base64url');

const PENDING_COOKIE = 'meetmark_pending';

@Injectable()
export class PendingSignIns {
  constructor(
    private readonly config: GatewayConfig,
    private readonly rpc: RpcClient,
  ) {}

  /**
   * @param wanted registration to make after the second step
   * @throws DomainError SECOND_FACTOR_REQUIRED if the account has a second factor, otherwise ACCOUNT_CLOSED if
   * it is closed
   */
  async requireSecondStep(request: FastifyRequest, member: SessionUser, wanted?: WantedPlace): Promise<void> {
    const { id: userId, hasSecondFactor } = member.user;
    const pending = hasSecondFactor
      ? await this.rpc.call(BeginSecondStep, { userId, wanted }, ANONYMOUS)
      : null;
    if (pending === null) return this.requireOpen(request, member);
    this.remember(request, pending.token);
    throw new DomainError('SECOND_FACTOR_REQUIRED', { methods: pending.methods });
  }

  /**
   * Call it after the last step of a sign-in.
   * @throws DomainError ACCOUNT_CLOSED. The browser can then restore the account.
   */
  async requireOpen(request: FastifyRequest, { user, deletedAt }: SessionUser): Promise<void> {
    if (deletedAt === undefined) return;
    const pending = await this.rpc.call(BeginRestoring, { userId: user.id }, ANONYMOUS);
    if (pending === null) return;
    this.remember(request, pending.token);
    throw new DomainError('ACCOUNT_CLOSED', { deletedAt });
  }

  private remember(request: FastifyRequest, token: string): void {
    setCookie(request, PENDING_COOKIE, { value: token, maxAge: SECOND_FACTOR.pendingLife / 1_000 });
  }

  /** @throws DomainError SECOND_FACTOR_EXPIRED if the browser hasn't passed a first step */
  getToken(request: FastifyRequest): string {
    const token = readCookie(request, cookieName(this.config, PENDING_COOKIE));
    if (!token) throw new DomainError('SECOND_FACTOR_EXPIRED');
    return token;
  }

  forget(request: FastifyRequest): void {
    setCookie(request, PENDING_COOKIE, null);
  }
}
