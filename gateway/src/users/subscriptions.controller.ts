import {
  type Community,
  ConfirmSubscription,
  DomainError,
  RequestSubscription,
  SubscriptionFields,
} from '@meetmark/contracts';
import { InjectCommunity } from '@meetmark/platform';
import { verifyConfirmation } from '@meetmark/platform/identity/unsubscribe-link';
import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import { IsString, MaxLength } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { GatewayConfig } from '../gateway.config.js';
import { Access } from '../http/access.js';
import { Fields } from '../http/fields.js';
import { Notice } from '../openapi/answers.js';
import { Describe } from '../openapi/describe.js';
import { readerLocale } from '../http/session.js';
import { CodeLimits } from '../rate-limits/sign-in-limits.js';
import { ANONYMOUS, Services } from '../services.js';

const TOKEN_LENGTH = 100;

/** POST /api/subscriptions/confirm. */
class SubscriptionLinkBody {
  /** What follows the # in the mailed link. */
  @IsString()
  @MaxLength(TOKEN_LENGTH)
  token!: string;
}

/** Visitors sign up for mails with an address alone. Nothing is sent there but the link that proves it. */
@Controller('api/subscriptions')
export class SubscriptionsController {
  constructor(
    private readonly config: GatewayConfig,
    @InjectCommunity() private readonly community: Community,
    private readonly services: Services,
    private readonly limits: CodeLimits,
  ) {}

  @Describe({
    summary: 'Sign up for announcements or the digest without an account; answers alike for any address',
    answers: { 202: Notice },
  })
  @Post()
  @HttpCode(202)
  @Access('public')
  async request(
    @Fields(SubscriptionFields) fields: SubscriptionFields,
    @Req() request: FastifyRequest,
  ): Promise<Notice> {
    await this.limits.request(request.ip);
    const wanted = { ...fields, locale: readerLocale(request, this.community) };
    await this.services.call(RequestSubscription, wanted, ANONYMOUS);
    return { message: 'A mail with a link to confirm is on its way' };
  }

  /** Only this call acts: scanners open every link of a mail. */
  @Describe({
    summary: 'Confirm the address by the mailed link',
    answers: { 200: Notice },
    refuses: ['SUBSCRIPTION_LINK_INVALID'],
  })
  @Post('confirm')
  @HttpCode(200)
  @Access('public')
  async confirm(
    @Fields(SubscriptionLinkBody) { token }: SubscriptionLinkBody,
    @Req() { ip }: FastifyRequest,
  ): Promise<Notice> {
    await this.limits.attempt(ip);
    const requestId = verifyConfirmation(token, this.config.linkSecrets);
    if (requestId === null) throw new DomainError('SUBSCRIPTION_LINK_INVALID');
    await this.services.call(ConfirmSubscription, { requestId }, ANONYMOUS);
    return { message: 'You have signed up' };
  }
}
