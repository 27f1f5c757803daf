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
    /** Email address of the account, set only if neither the session nor the body contains it. */
    subjectEmail: string | null;
    /**
     * Purpose of the code or link that this request confirmed. Null if none, or if another code must follow.
     */
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
  done: SecurityEventKind | ((request: FastifyRequest) => SecurityEventKind | null);
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

/** `security-events.spec.ts` checks that these routes exist. */
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
  'DELETE /api/user': { done: 'account-closed' },
  'POST /api/login/restore': { done: 'account-restored' },
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
/** Minimum milliseconds between recorded lock-outs of the same account from the same network. */
const LOCKED_OUT_EVERY = 60_000;
const REMEMBERED = 10_000;

type Event = Pick<SecurityEventEntity, 'id' | 'kind' | 'account' | 'network' | 'requestId'>;

/** Counts events without an account in shared rows, so that made-up email addresses can't fill the table. */
@Injectable()
export class SecurityEvents implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Security');
  private readonly writing = new Set<Promise<unknown>>();
  /** Number of events not yet added to their shared row, by kind and network. */
  private readonly counts = new Map<string, number>();
  private readonly lockedOut = new LRUCache<string, number>({ max: REMEMBERED });

  constructor(
    private readonly database: DataSource,
    private readonly pseudonyms: Pseudonyms,
  ) {}

  watch(server: FastifyInstance): void {
    server.decorateRequest('subjectEmail', null);
    server.decorateRequest('confirmed', null);
    server.addHook('onResponse', (request, reply, done) => {
      const kind = getKind(request, reply);
      if (kind !== null) this.record(kind, request, reply);
      done();
    });
  }

  /** Runs after the response, so that content and timing don't reveal whether an account exists. */
  private record(kind: SecurityEventKind, request: FastifyRequest, reply: FastifyReply): void {
    const email = findEmail(request);
    const account = email === null ? null : this.getAccountPseudonym(email);
    const network = this.pseudonyms.of('network', wideNetwork(request.ip));
    if (kind === 'locked-out' && this.saidBefore(`${account} ${network}`)) return;
    this.logger.log({ requestId: request.id, kind, account, network, msg: 'security event' });
    const event = { id: uuid(), kind, account, network, requestId: request.id };
    const written = this.write(event, isOfAccount(request, reply) || email)
      .catch((err: unknown) =>
        this.logger.warn({ err, msg: 'Could not store a security event; only the log has it' }),
      )
      .finally(() => this.writing.delete(written));
    this.writing.add(written);
  }

  /** @param about true if the event certainly concerns an account, otherwise the email in the request */
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

  /** Runs one statement per row at a time, so that a flood doesn't queue for the row's lock. */
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

  getAccountPseudonym(email: string): string {
    return this.pseudonyms.of('account', normaliseEmail(email));
  }

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

function getKind(request: FastifyRequest, reply: FastifyReply): SecurityEventKind | null {
  if (request.method === 'GET') return null;
  const concern = SECURITY_CALLS[`${request.method} ${request.routeOptions.url}`];
  const { statusCode } = reply;
  if (concern === undefined || statusCode >= SERVER_ERROR) return null;
  if (statusCode === LIMITED) return 'locked-out';
  const { done, failed = null } = concern;
  if (statusCode < BAD_REQUEST) return typeof done === 'string' ? done : done(request);
  return reply.refusal !== null && WRONG.has(reply.refusal.code) ? failed : null;
}

/** Errors of failed attempts. Invalid requests and missing sign-ins don't count. */
const WRONG = new Set<ErrorCode>([
  'CREDENTIALS_INCORRECT',
  'CURRENT_PASSWORD_INCORRECT',
  'RESET_CODE_INVALID',
  'SECOND_FACTOR_INCORRECT',
  'CODE_INVALID',
  'SECOND_FACTOR_INVALID',
  'SECOND_FACTOR_EXPIRED',
]);

/**
 * Returns whether the event certainly concerns an account. A failed second step does, because the first step
 * succeeded.
 */
function isOfAccount(
  { caller, subjectEmail }: FastifyRequest,
  { statusCode, refusal }: FastifyReply,
): boolean {
  if (statusCode < BAD_REQUEST || caller !== null || subjectEmail !== null) return true;
  return refusal?.code === 'SECOND_FACTOR_INCORRECT';
}

function findEmail({ caller, subjectEmail, body }: FastifyRequest): string | null {
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
