import {
  About,
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

class SubscriptionLinkBody {
  @About('The part after the `#` of the emailed link')
  @IsString()
  @MaxLength(TOKEN_LENGTH)
  token!: string;
}

/** Until the email address is verified, only the confirmation link is sent to it. */
@Controller('api/subscriptions')
export class SubscriptionsController {
  constructor(
    private readonly config: GatewayConfig,
    @InjectCommunity() private readonly community: Community,
    private readonly services: Services,
    private readonly limits: CodeLimits,
  ) {}

  @Describe({
    summary: 'Subscribe to emails without an account',
    description:
      'For announcements of new events by topic, the weekly digest, or both. The response is the same for every address. Emails a link that confirms the address; nothing else is sent until it is confirmed.',
    answers: { 202: Notice },
  })
  @Post()
  @HttpCode(202)
  @Access('public')
  async request(
    @Fields(SubscriptionFields) fields: SubscriptionFields,
    @Req() request: FastifyRequest,
  ): Promise<Notice> {
    await this.limits.requestForAnyone(request, fields.email);
    const wanted = { ...fields, locale: readerLocale(request, this.community) };
    await this.services.call(RequestSubscription, wanted, ANONYMOUS);
    return { message: 'An email with a confirmation link is on its way' };
  }

  /** Opening the emailed link isn't enough to confirm, because mail scanners open every link. */
  @Describe({
    summary: 'Confirm a subscription',
    description:
      '`token` is the part after the `#` of the emailed link, which works for seven days. Idempotent.',
    answers: { 200: Notice },
    refuses: ['SUBSCRIPTION_LINK_INVALID'],
  })
  @Post('confirm')
  @HttpCode(200)
  @Access('public')
  async confirm(
    @Fields(SubscriptionLinkBody) { token }: SubscriptionLinkBody,
    @Req() request: FastifyRequest,
  ): Promise<Notice> {
    await this.limits.attempt(request);
    const requestId = verifyConfirmation(token, this.config.linkSecrets);
    if (requestId === null) throw new DomainError('SUBSCRIPTION_LINK_INVALID');
    await this.services.call(ConfirmSubscription, { requestId }, ANONYMOUS);
    return { message: 'You are subscribed' };
  }
}
