import {
  normaliseEmail,
  type ErrorCode,
  type FlowPurpose,
  type SecurityEventKind,
} from '@meetmark/contracts';
import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Column, DataSource, Entity, PrimaryColumn } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { LRUCache } from 'lru-cache';
import { Pseudonyms, wideNetwork } from '../networks.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The address of the account that the request concerns, if neither session nor body name it. */
    subjectEmail: string | null;
    /** The purpose of a used code or link; null if another code follows. */
    confirmed: FlowPurpose | null;
  }
}

@Entity({ schema: 'gateway', name: 'security_events' })
export class SecurityEventEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  kind!: SecurityEventKind;

  @Column('text', { nullable: true })
  account!: string | null;

  @Column('text')
  network!: string;

  @Column('text')
  requestId!: string;

  @Column('timestamptz')
  at!: Date;

  @Column('integer')
  count!: number;
}

interface Concern {
  /** The kind of a success, which may depend on the request; null if it is no security event. */
  done: SecurityEventKind | ((request: FastifyRequest) => SecurityEventKind | null);
  /** The kind of a refusal of WRONG. */
  failed?: SecurityEventKind;
}

const CONFIRMED: Record<FlowPurpose, SecurityEventKind> = {
  'sign-in': 'sign-in',
  rsvp: 'sign-in',
  verify: 'address-verified',
  reset: 'password-reset',
  email: 'address-changed',
};
const confirmation: Concern = {
  done: ({ confirmed }) => confirmed && CONFIRMED[confirmed],
  failed: 'code-failed',
};
const factor: Concern = { done: 'second-factor-changed', failed: 'second-factor-failed' };

/** Calls about authentication, by the names of their routes; `security-events.spec.ts` compares them with the existing routes. */
export const SECURITY_CALLS: Record<string, Concern> = {
  'POST /api/register': { done: 'sign-up' },
  'POST /api/login': { done: 'sign-in', failed: 'sign-in-failed' },
  'POST /api/login/second-factor': { done: 'sign-in', failed: 'second-factor-failed' },
  'POST /api/user/confirm': { done: 'sign-in', failed: 'password-failed' },
  'POST /api/reset-password': { done: 'password-reset', failed: 'code-failed' },
  'PUT /api/user/change-password': { done: 'password-changed', failed: 'password-failed' },
  'PUT /api/user/profile': {
    done: (request) => (namesAnotherAddress(request) ? 'address-change-asked' : null),
    failed: 'password-failed',
  },
  'POST /api/confirm': confirmation,
  'POST /api/confirm/link': confirmation,
  'POST /api/rsvp/confirm': confirmation,
  'POST /api/events/:id/host-messages/visitor': { done: () => null, failed: 'code-failed' },
  'POST /api/revert-email': { done: 'address-reverted', failed: 'code-failed' },
  'DELETE /api/user/sessions': { done: 'sessions-ended' },
  'DELETE /api/user/sessions/:id': { done: 'sessions-ended' },
  'POST /api/user/second-factors/totp/confirm': factor,
  'POST /api/user/second-factors/passkey/confirm': factor,
  'DELETE /api/user/second-factors/:id': factor,
  'POST /api/user/recovery-codes': factor,
};

const BAD_REQUEST = 400;
const LIMITED = 429;
const SERVER_ERROR = 500;
/** Milliseconds in which one gateway records a lock-out once: a flood of refusals must not be a flood of rows. */
const LOCKED_OUT_EVERY = 60_000;
const REMEMBERED = 10_000;

type Event = Pick<SecurityEventEntity, 'id' | 'kind' | 'account' | 'network' | 'requestId'>;

/**
 * Records security events: a line of the log at once, and a row for the administrators. Events without an account share a row for each
 * network, kind and hour, which counts them: invented addresses must not fill the table.
 */
@Injectable()
export class SecurityEvents implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Security');
  private readonly writing = new Set<Promise<unknown>>();
  /** Events that are not in their row yet, of each kind and network whose row is being written. */
  private readonly counts = new Map<string, number>();
  private readonly lockedOut = new LRUCache<string, number>({ max: REMEMBERED });

  constructor(
    private readonly database: DataSource,
    private readonly pseudonyms: Pseudonyms,
  ) {}

  /** Before the routes are made. */
  watch(server: FastifyInstance): void {
    server.decorateRequest('subjectEmail', null);
    server.decorateRequest('confirmed', null);
    server.addHook('onResponse', (request, reply, done) => {
      const kind = kindOf(request, reply);
      if (kind !== null) this.record(kind, request, reply);
      done();
    });
  }

  /** After the answer: neither its bytes nor its time depend on whether there is an account. */
  private record(kind: SecurityEventKind, request: FastifyRequest, reply: FastifyReply): void {
    const email = emailOf(request);
    const account = email === null ? null : this.accountOf(email);
    const network = this.pseudonyms.of('network', wideNetwork(request.ip));
    if (kind === 'locked-out' && this.saidBefore(`${account} ${network}`)) return;
    this.logger.log({ requestId: request.id, kind, account, network, msg: 'security event' });
    const event = { id: uuid(), kind, account, network, requestId: request.id };
    const written = this.write(event, isOfAccount(request, reply) || email)
      .catch((err: unknown) => this.logger.warn({ err, msg: 'a security event stands in the log alone' }))
      .finally(() => this.writing.delete(written));
    this.writing.add(written);
  }

  /** @param about true if the event is certainly one of an account; else the address it names, if it names one */
  private async write(event: Event, about: true | string | null): Promise<void> {
    const known = about === true || (about !== null && (await this.hasAccount(about)));
    if (known) await this.database.manager.insert(SecurityEventEntity, event);
    else await this.count(event);
  }

  private async hasAccount(email: string): Promise<boolean> {
    const [found] = await this.database.query<[{ known: boolean }]>('SELECT auth.has_account($1) AS known', [
      normaliseEmail(email),
    ]);
    return found.known;
  }

  /** One statement at a time for each row: what happens meanwhile is added by the next, so that a flood waits for no lock. */
  private async count({ kind, network, requestId }: Event): Promise<void> {
    const key = `${kind} ${network}`;
    const before = this.counts.get(key);
    this.counts.set(key, (before ?? 0) + 1);
    if (before !== undefined) return;
    try {
      for (let count = 1; count > 0; count = this.counts.get(key)!) {
        this.counts.set(key, 0);
        await this.database.query(
          `INSERT INTO gateway.security_events AS event (id, kind, network, request_id, hour, count)
           VALUES ($1, $2, $3, $4, date_trunc('hour', now(), 'UTC'), $5)
           ON CONFLICT (network, kind, hour) WHERE hour IS NOT NULL DO UPDATE SET count = event.count + excluded.count`,
          [uuid(), kind, network, requestId, count],
        );
      }
    } finally {
      this.counts.delete(key);
    }
  }

  accountOf(email: string): string {
    return this.pseudonyms.of('account', normaliseEmail(email));
  }

  /** While the database is still connected. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.writing);
  }

  private saidBefore(who: string): boolean {
    const now = performance.now();
    if (now - (this.lockedOut.get(who) ?? -LOCKED_OUT_EVERY) < LOCKED_OUT_EVERY) return true;
    this.lockedOut.set(who, now);
    return false;
  }
}

function kindOf(request: FastifyRequest, reply: FastifyReply): SecurityEventKind | null {
  if (request.method === 'GET') return null; // none of them is one, and most calls are
  const concern = SECURITY_CALLS[`${request.method} ${request.routeOptions.url}`];
  const { statusCode } = reply;
  if (concern === undefined || statusCode >= SERVER_ERROR) return null;
  if (statusCode === LIMITED) return 'locked-out';
  const { done, failed = null } = concern;
  if (statusCode < BAD_REQUEST) return typeof done === 'string' ? done : done(request);
  return reply.refusal !== null && WRONG.has(reply.refusal.code) ? failed : null;
}

/** Refusals of a wrong password, code or factor. An invalid form, or a visitor who has to sign in first, is no attempt. */
const WRONG = new Set<ErrorCode>([
  'CREDENTIALS_INCORRECT',
  'CURRENT_PASSWORD_INCORRECT',
  'RESET_CODE_INVALID',
  'SECOND_FACTOR_INCORRECT',
  'CODE_INVALID',
  'SECOND_FACTOR_INVALID',
  'SECOND_FACTOR_EXPIRED',
]);

/** Certainly: a success, a signed-in caller, or a wrong second step, which only a browser takes that took the first. */
function isOfAccount(
  { caller, subjectEmail }: FastifyRequest,
  { statusCode, refusal }: FastifyReply,
): boolean {
  if (statusCode < BAD_REQUEST || caller !== null || subjectEmail !== null) return true;
  return refusal?.code === 'SECOND_FACTOR_INCORRECT';
}

function emailOf({ caller, subjectEmail, body }: FastifyRequest): string | null {
  return caller?.email ?? subjectEmail ?? typedEmail(body);
}

function typedEmail(body: unknown): string | null {
  const { email } = (body ?? {}) as { email?: unknown };
  return typeof email === 'string' ? email : null;
}

function namesAnotherAddress({ caller, body }: FastifyRequest): boolean {
  const email = typedEmail(body);
  return caller !== null && email !== null && normaliseEmail(email) !== normaliseEmail(caller.email);
}
