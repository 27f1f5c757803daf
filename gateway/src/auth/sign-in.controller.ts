import { EndSessions, parsedUrl, SignIn, SignInRequest, SignUp, SignUpFields } from '@meetmark/contracts';
import { Controller, Delete, Get, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../http/access.js';
import { Fields, Id } from '../http/fields.js';
import { idempotencyKeyOf } from '../idempotency/idempotency.js';
import { Describe, listOf } from '../openapi/describe.js';
import { SignInLimits } from '../rate-limits/sign-in-limits.js';
import { Services } from '../services.js';
import { Installation } from '../site/installation.js';
import { FlowCookies } from '../sessions/browser-cookies.js';
import { Sessions } from '../sessions/sessions.js';
import { User } from '../users/users.dto.js';
import { OwnSession } from './auth.dto.js';

/** A host that never resolves: an address of another host leads to another site. */
const HERE = 'http://here.invalid';
/** One slash, no backslash, no control characters. */
const LOCAL = /^\/(?![/\\])[^\\\p{Cc}]*$/u;

/** A path on this site, or null, as a browser reads it: `/.//evil.example` becomes `//evil.example`. */
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
    private readonly installation: Installation,
  ) {}

  /** With a key the call may be repeated, and `read` repeats it: the same request always ends in the same account. */
  @Describe({
    summary: 'Sign up; signs in as well',
    answers: { 201: User },
    refuses: ['EMAIL_EXISTS', 'NOT_SET_UP'],
    idempotent: true,
  })
  @Post('register')
  @Access('public')
  async signUp(@Fields(SignUpFields) fields: SignUpFields, @Req() request: FastifyRequest): Promise<User> {
    const idempotencyKey = idempotencyKeyOf(request);
    await this.installation.requireOwner();
    const member = await this.limits.signUp(request.ip, () => {
      const asker = this.flows.begin(request, 'verify', fields.email);
      return idempotencyKey === undefined
        ? this.services.call(SignUp, { ...fields, asker })
        : this.services.read(SignUp, { ...fields, asker, idempotencyKey });
    });
    await this.sessions.start(request, member);
    return member.user;
  }

  @Describe({
    summary: 'Sign in',
    answers: { 200: User },
    refuses: ['CREDENTIALS_INCORRECT', 'SECOND_FACTOR_REQUIRED'],
  })
  @Post('login')
  @Access('public')
  async signIn(@Fields(SignInRequest) fields: SignInRequest, @Req() request: FastifyRequest): Promise<User> {
    const member = await this.limits.signIn(request, fields.email, () => this.services.call(SignIn, fields));
    await this.sessions.start(request, member);
    return member.user;
  }

  @Describe({ summary: 'Sign out', answers: { 204: null } })
  @Post('logout')
  @Access('public')
  signOut(@Req() request: FastifyRequest): Promise<void> {
    return this.sessions.end(request);
  }

  /** For browsers that have to sign in first. */
  @Describe({ summary: 'Sends a browser to the sign-in screen', answers: { 302: null } })
  @Get('login')
  @Access('public')
  toSignIn(@Query('returnTo') returnTo: unknown, @Res() reply: FastifyReply): void {
    const path = localPath(returnTo);
    const target = path === null ? '/?signin=1' : `/?signin=1&returnTo=${encodeURIComponent(path)}`;
    void reply.redirect(target, 302);
  }

  /** Ends the session only for pages of this site and the address bar: no picture, on this site or another, signs anybody out. */
  @Describe({ summary: 'Signs a browser out and sends it to the start', answers: { 302: null } })
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

/** The sessions of the caller. */
@Controller('api/user/sessions')
export class OwnSessionsController {
  constructor(
    private readonly services: Services,
    private readonly sessions: Sessions,
  ) {}

  @Describe({
    summary: 'The browsers that are signed in, newest first',
    answers: { 200: listOf(OwnSession) },
  })
  @Get()
  @Access('member')
  list(@Req() request: FastifyRequest): Promise<OwnSession[]> {
    return this.sessions.listOwn(request);
  }

  @Describe({ summary: 'Sign one browser out', answers: { 204: null }, refuses: ['SESSION_NOT_FOUND'] })
  @Delete(':id')
  @Access('member')
  end(@Id() id: string, @Req() request: FastifyRequest): Promise<void> {
    return this.sessions.endOwn(request, id);
  }

  /** However many there are, also one that is being begun at this moment; this one continues under a new id. */
  @Describe({ summary: 'Sign every other browser out', answers: { 204: null } })
  @Delete()
  @Access('member')
  async endOthers(@Req() request: FastifyRequest): Promise<void> {
    await this.sessions.renew(request, await this.services.call(EndSessions, {}));
  }
}
