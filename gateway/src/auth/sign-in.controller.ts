import {
  EndSessions,
  parsedUrl,
  RestoreAccount,
  SignIn,
  SignInRequest,
  SignUp,
  SignUpFields,
} from '@meetmark/contracts';
import { Controller, Delete, Get, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../http/access.js';
import { Fields, Id } from '../http/fields.js';
import { getIdempotencyKey } from '../idempotency/idempotency.js';
import { Describe, describeList } from '../openapi/describe.js';
import { SignInLimits } from '../rate-limits/sign-in-limits.js';
import { Services } from '../services.js';
import { Installation } from '../site/installation.js';
import { FlowCookies, PendingSignIns } from '../sessions/browser-cookies.js';
import { Sessions } from '../sessions/sessions.js';
import { User } from '../users/users.dto.js';
import { OwnSession } from './auth.dto.js';

/** Base URL of local paths. Its host never resolves, so no other site has it. */
const HERE = 'http://here.invalid';
/** Matches paths with exactly one leading slash, and no backslashes or control characters. */
const LOCAL = /^\/(?![/\\])[^\\\p{Cc}]*$/u;

/** Returns the path as browsers resolve it, or null if it leaves this site, like `/.//evil.example`. */
export function localPath(value: unknown): string | null {
  const url = typeof value === 'string' && LOCAL.test(value) ? parsedUrl(value, HERE) : null;
  if (url === null) return null;
  const { origin, pathname, search, hash } = url;
  return origin === HERE && LOCAL.test(pathname) ? pathname + search + hash : null;
}

@Controller('api')
export class SignInController {
  constructor(
    private readonly services: Services,
    private readonly sessions: Sessions,
    private readonly limits: SignInLimits,
    private readonly flows: FlowCookies,
    private readonly pending: PendingSignIns,
    private readonly installation: Installation,
  ) {}

  /** With an idempotency key, uses `read`, which may retry. The key prevents a second account. */
  @Describe({
    summary: 'Create your account',
    description:
      'Creates a member account, signs in to it and emails a code that verifies the address. The account works before the address is verified. With an `Idempotency-Key`, the same request always ends in the same account, so you can repeat it after a lost response.',
    answers: { 201: User },
    refuses: ['EMAIL_EXISTS', 'NOT_SET_UP'],
    idempotent: true,
  })
  @Post('register')
  @Access('public')
  async signUp(@Fields(SignUpFields) fields: SignUpFields, @Req() request: FastifyRequest): Promise<User> {
    const idempotencyKey = getIdempotencyKey(request);
    await this.installation.requireOwner();
    const member = await this.limits.signUp(request.ip, () => {
      const asker = this.flows.agreeing(this.flows.begin(request, 'verify', fields.email));
      return idempotencyKey === undefined
        ? this.services.call(SignUp, { ...fields, asker })
        : this.services.read(SignUp, { ...fields, asker, idempotencyKey });
    });
    await this.sessions.start(request, member);
    return member.user;
  }

  @Describe({
    summary: 'Sign in with a password',
    description:
      'Sets the session cookie. If the account has a second factor, the response is 401 `SECOND_FACTOR_REQUIRED` with the possible `details.methods`: continue with `POST /api/login/second-factor`. An unknown address and a wrong password give the same error. Safe to repeat.',
    answers: { 200: User },
    refuses: ['CREDENTIALS_INCORRECT', 'SECOND_FACTOR_REQUIRED', 'ACCOUNT_CLOSED'],
  })
  @Post('login')
  @Access('public')
  async signIn(@Fields(SignInRequest) fields: SignInRequest, @Req() request: FastifyRequest): Promise<User> {
    const member = await this.limits.signIn(request, fields.email, () => this.services.call(SignIn, fields));
    await this.sessions.start(request, member);
    return member.user;
  }

  @Describe({
    summary: 'Restore your account',
    description:
      'Restores an account that its owner deleted less than a week ago, and signs in to it. Call it within ten minutes after a 403 `ACCOUNT_CLOSED` of any way to sign in, with the cookie of that response.',
    answers: { 200: User },
    refuses: ['SECOND_FACTOR_EXPIRED'],
  })
  @Post('login/restore')
  @Access('public')
  async restore(@Req() request: FastifyRequest): Promise<User> {
    const member = await this.services.call(RestoreAccount, { token: this.pending.getToken(request) });
    this.pending.forget(request);
    await this.sessions.startAfterSecondStep(request, member);
    return member.user;
  }

  @Describe({
    summary: 'Sign out',
    description: 'Ends the session and removes its cookie. Does nothing without a session.',
    answers: { 204: null },
  })
  @Post('logout')
  @Access('public')
  signOut(@Req() request: FastifyRequest): Promise<void> {
    return this.sessions.end(request);
  }

  @Describe({
    summary: 'Redirect to the sign-in page',
    description:
      'For links in a browser. `returnTo` is a path on this site that the page opens after the sign-in.',
    answers: { 302: null },
  })
  @Get('login')
  @Access('public')
  toSignIn(@Query('returnTo') returnTo: unknown, @Res() reply: FastifyReply): void {
    const path = localPath(returnTo);
    const target = path === null ? '/?signin=1' : `/?signin=1&returnTo=${encodeURIComponent(path)}`;
    void reply.redirect(target, 302);
  }

  /**
   * Signs out only if the request comes from a page of this site or the address bar. Otherwise, an image on
   * another site could sign people out.
   */
  @Describe({
    summary: 'Sign out and redirect to the start page',
    description:
      'For links in a browser. Signs out only if the request comes from this site or from the address bar and opens a page. It redirects in any case.',
    answers: { 302: null },
  })
  @Get('logout')
  @Access('public')
  async signOutAndLeave(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const site = request.headers['sec-fetch-site'] ?? 'none';
    const shownAs = request.headers['sec-fetch-dest'] ?? 'document';
    if ((site === 'same-origin' || site === 'none') && shownAs === 'document')
      await this.sessions.end(request);
    void reply.redirect('/', 302);
  }
}

@Controller('api/user/sessions')
export class OwnSessionsController {
  constructor(
    private readonly services: Services,
    private readonly sessions: Sessions,
  ) {}

  @Describe({
    summary: 'List your sessions',
    description: 'The browsers that are signed in to your account, newest first.',
    answers: { 200: describeList(OwnSession) },
  })
  @Get()
  @Access('member')
  list(@Req() request: FastifyRequest): Promise<OwnSession[]> {
    return this.sessions.listOwn(request);
  }

  @Describe({ summary: 'End one of your sessions', answers: { 204: null }, refuses: ['SESSION_NOT_FOUND'] })
  @Delete(':id')
  @Access('member')
  end(@Id() id: string, @Req() request: FastifyRequest): Promise<void> {
    return this.sessions.endOwn(request, id);
  }

  /** Also ends sessions whose sign-in is still in progress. */
  @Describe({
    summary: 'End your other sessions',
    description: 'The current session continues under a new cookie, which this response sets.',
    answers: { 204: null },
  })
  @Delete()
  @Access('member')
  async endOthers(@Req() request: FastifyRequest): Promise<void> {
    await this.sessions.renew(request, await this.services.call(EndSessions, {}));
  }
}
