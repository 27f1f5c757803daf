import { SignIn, SignInRequest, SignUp, SignUpFields, type User } from '@meetmark/contracts';
import { Controller, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../access/access.js';
import { idempotencyKeyOf } from '../idempotency/idempotency.js';
import { SignInLimits } from '../limits/sign-in-limits.js';
import { FlowCookies } from '../sessions/flow-cookies.js';
import { Sessions } from '../sessions/sessions.js';
import { Describe } from '../openapi/describe.js';
import { Fields } from '../http/fields.js';
import { localPath } from './local-path.js';
import { Services } from '../services.js';

@Controller('api')
export class SignInController {
  constructor(
    private readonly services: Services,
    private readonly sessions: Sessions,
    private readonly limits: SignInLimits,
    private readonly flows: FlowCookies,
  ) {}

  /** With a key it may be repeated, and is: whatever became of the first try, the same request ends in the same account. */
  @Describe({
    summary: 'Sign up; signs in as well',
    answers: { 201: 'User' },
    refuses: ['EMAIL_EXISTS'],
    idempotent: true,
  })
  @Post('register')
  @Access('public')
  async signUp(@Fields(SignUpFields) fields: SignUpFields, @Req() request: FastifyRequest): Promise<User> {
    const idempotencyKey = idempotencyKeyOf(request);
    const member = await this.limits.signUp(request.ip, () => {
      const asker = this.flows.begin(request, 'verify');
      return idempotencyKey === undefined
        ? this.services.call(SignUp, { ...fields, asker })
        : this.services.read(SignUp, { ...fields, asker, idempotencyKey });
    });
    await this.sessions.start(request, member, 'sign-up');
    return member.user;
  }

  @Describe({
    summary: 'Sign in',
    answers: { 200: 'User' },
    refuses: ['CREDENTIALS_INCORRECT', 'SECOND_FACTOR_REQUIRED'],
  })
  @Post('login')
  @HttpCode(200)
  @Access('public')
  async signIn(@Fields(SignInRequest) fields: SignInRequest, @Req() request: FastifyRequest): Promise<User> {
    const member = await this.limits.signIn(request, fields.email, () => this.services.call(SignIn, fields));
    await this.sessions.start(request, member, 'password');
    return member.user;
  }

  @Describe({ summary: 'Sign out', answers: { 204: null } })
  @Post('logout')
  @HttpCode(204)
  @Access('public')
  signOut(@Req() request: FastifyRequest): Promise<void> {
    return this.sessions.end(request);
  }

  /** Where a browser is sent that has to sign in first (D9). */
  @Describe({ summary: 'Sends a browser to the sign-in screen', answers: { 302: null } })
  @Get('login')
  @Access('public')
  toSignIn(@Query('returnTo') returnTo: unknown, @Res() reply: FastifyReply): void {
    const path = localPath(returnTo);
    const target = path === null ? '/?signin=1' : `/?signin=1&returnTo=${encodeURIComponent(path)}`;
    void reply.redirect(target, 302);
  }

  /** Ends the session only for our own pages and the address bar: an image on another site must not sign anyone out (T9). */
  @Describe({ summary: 'Signs a browser out and sends it to the start', answers: { 302: null } })
  @Get('logout')
  @Access('public')
  async signOutAndLeave(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const site = request.headers['sec-fetch-site'] ?? 'none';
    if (site === 'same-origin' || site === 'none') await this.sessions.end(request);
    void reply.redirect('/', 302);
  }
}
