import {
  AcceptLegalPages,
  ChangePassword,
  ChangePasswordRequest,
  CloseAccount,
  DomainError,
  GetMailPreferences,
  LegalVersionFields,
  MailPreferenceFields,
  SetMailPreferences,
  UpdateProfile,
} from '@meetmark/contracts';
import { Controller, Delete, Get, Post, Put, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Access, BeforeConsent, FreshSignIn } from '../http/access.js';
import { ConsentRule } from '../http/consent-rule.js';
import { baseVersion, Fields } from '../http/fields.js';
import { Caller } from '../http/request.js';
import { Pictures, TakesPicture } from '../media/pictures.js';
import { Describe } from '../openapi/describe.js';
import { CodeLimits, SignInLimits } from '../rate-limits/sign-in-limits.js';
import { Services } from '../services.js';
import { FlowCookies } from '../sessions/browser-cookies.js';
import { Sessions } from '../sessions/sessions.js';
import { MailPreferences, ProfileBody, User } from './users.dto.js';

@Controller('api/user')
export class UserController {
  constructor(
    private readonly services: Services,
    private readonly sessions: Sessions,
    private readonly limits: SignInLimits,
    private readonly consentRule: ConsentRule,
  ) {}

  @Describe({ summary: 'Get your account', answers: { 200: User } })
  @Get()
  @Access('member')
  @BeforeConsent()
  current(@Caller() caller: User): User {
    return caller;
  }

  @Describe({
    summary: 'Change your password',
    description:
      'Ends every other session. The current session continues under a new cookie, which this response sets.',
    answers: { 200: User },
    refuses: ['CURRENT_PASSWORD_INCORRECT', 'PASSWORD_UNCHANGED', 'PASSWORD_TOO_SHORT'],
  })
  @Put('change-password')
  @Access('member')
  async changePassword(
    @Caller() caller: User,
    @Fields(ChangePasswordRequest) fields: ChangePasswordRequest,
    @Req() request: FastifyRequest,
  ): Promise<User> {
    await this.limits.ownPassword(caller.id);
    const member = await this.services.call(ChangePassword, fields);
    await this.sessions.renew(request, member);
    return member.user;
  }

  @Describe({
    summary: 'Accept legal pages',
    description:
      'Send the `consentNeeded` of `GET /api/user`. 409 `LEGAL_PAGE_CHANGED` if a page has changed since.',
    answers: { 204: null },
    refuses: ['LEGAL_PAGE_CHANGED'],
  })
  @Post('consents')
  @Access('member')
  @BeforeConsent()
  async accept(@Fields(LegalVersionFields) versions: LegalVersionFields): Promise<void> {
    if (!this.consentRule.isCurrent(versions)) throw new DomainError('LEGAL_PAGE_CHANGED');
    await this.services.call(AcceptLegalPages, versions);
  }
}

@Controller('api/user')
export class ClosingController {
  constructor(
    private readonly services: Services,
    private readonly sessions: Sessions,
  ) {}

  @Describe({
    summary: 'Delete your account',
    description:
      'Closes your account, cancels your registrations and hands over your events. It is deleted after seven days. Until then, signing in offers to restore it.',
    answers: { 204: null },
    refuses: ['LAST_ADMINISTRATOR'],
  })
  @Delete()
  @Access('member')
  @BeforeConsent()
  @FreshSignIn('sensitive')
  async close(@Req() request: FastifyRequest): Promise<void> {
    await this.services.call(CloseAccount, {});
    await this.sessions.end(request);
  }
}

@Controller('api/user')
export class ProfileController {
  constructor(
    private readonly services: Services,
    private readonly pictures: Pictures,
    private readonly codeLimits: CodeLimits,
    private readonly signInLimits: SignInLimits,
    private readonly flows: FlowCookies,
  ) {}

  @Describe({
    summary: 'Update your profile',
    description:
      'Fields that you leave out keep their value. A new `email` takes effect once it is confirmed; until then the response has it as `pendingEmail`. With `currentPassword`, the code goes to the new address. Without it, a code goes to the current address first. The response is the same if another account has the address.',
    answers: { 200: User },
    refuses: ['CURRENT_PASSWORD_INCORRECT'],
    versioned: true,
  })
  @Put('profile')
  @Access('member')
  @TakesPicture()
  async update(
    @Caller() caller: User,
    @Fields(ProfileBody) body: ProfileBody,
    @Req() request: FastifyRequest,
  ): Promise<User> {
    const { profileImageUrl, ...fields } = body;
    const version = baseVersion(request, fields.version);
    const about = { kind: 'avatars', field: 'profileImageUrl', userId: caller.id, ip: request.ip } as const;
    const picture = await this.pictures.change(profileImageUrl, about);
    const changesAddress = fields.email !== undefined && fields.email !== caller.email.toLowerCase();
    if (fields.currentPassword !== undefined) await this.signInLimits.ownPassword(caller.id);
    if (changesAddress) {
      await this.codeLimits.request(request, caller.email);
      await this.codeLimits.addressChange(caller.id);
    }
    const asker = changesAddress
      ? this.flows.begin(request, 'email', caller.email)
      : this.flows.present(request, 'email');
    const { user } = await this.services.call(UpdateProfile, { ...fields, version, picture, asker });
    return user;
  }

  @Describe({ summary: 'Get your email preferences', answers: { 200: MailPreferences } })
  @Get('mail-preferences')
  @Access('member')
  mailPreferences(): Promise<MailPreferences> {
    return this.services.read(GetMailPreferences, {});
  }

  @Describe({
    summary: 'Update your email preferences',
    description: 'Emails about your account and your own registrations are always sent.',
    answers: { 200: MailPreferences },
  })
  @Put('mail-preferences')
  @Access('member')
  setMailPreferences(
    @Fields(MailPreferenceFields) preferences: MailPreferenceFields,
  ): Promise<MailPreferences> {
    return this.services.call(SetMailPreferences, preferences);
  }
}
