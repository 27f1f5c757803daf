import {
  DomainError,
  FindGuestMessages,
  FindMailPreferences,
  FindVisitorList,
  type MailList,
  SetGuestMessages,
  SetVisitorList,
  Unsubscribe,
  VISITOR_LISTS,
  type VisitorListRequest,
} from '@meetmark/contracts';
import { isLocale } from '@meetmark/i18n/locales';
import { unsubscribePagePath, verifyUnsubscribe } from '@meetmark/platform/identity/unsubscribe-link';
import { Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { GatewayConfig } from '../gateway.config.js';
import { Access, routeTraits } from '../http/access.js';
import { Notice } from '../openapi/answers.js';
import { Describe } from '../openapi/describe.js';
import { ANONYMOUS, Services } from '../services.js';
import { MailListState } from './users.dto.js';

@Controller('api/unsubscribe')
export class UnsubscribeController {
  constructor(
    private readonly config: GatewayConfig,
    private readonly services: Services,
  ) {}

  @Describe({
    summary: 'Redirect to the unsubscribe page',
    description: 'Emails link here in their footer. Changes nothing, because mail scanners open links.',
    answers: { 302: null },
    refuses: ['UNSUBSCRIBE_LINK_INVALID'],
  })
  @Get(':token')
  @Access('public')
  toPage(@Param('token') token: string, @Query('locale') locale: unknown, @Res() reply: FastifyReply): void {
    this.target(token);
    const language = isLocale(locale) ? `&locale=${locale}` : '';
    void reply.redirect(`${unsubscribePagePath(token)}${language}`, 302);
  }

  @Describe({
    summary: 'Get the email list of an unsubscribe link',
    description: 'Returns which list the link is for, and whether the person still gets it.',
    answers: { 200: MailListState },
    refuses: ['UNSUBSCRIBE_LINK_INVALID'],
  })
  @Get(':token/list')
  @Access('public')
  async list(@Param('token') token: string): Promise<MailListState> {
    const target = this.target(token);
    if ('registrationId' in target) {
      const guest = await this.services.read(FindGuestMessages, target, ANONYMOUS);
      if (guest === null) throw new DomainError('UNSUBSCRIBE_LINK_INVALID');
      return { list: 'messages', ...guest };
    }
    if ('subscriptionId' in target) {
      const visitor = await this.services.read(FindVisitorList, visitorList(target), ANONYMOUS);
      if (visitor === null) throw new DomainError('UNSUBSCRIBE_LINK_INVALID');
      return { list: target.list, ...visitor };
    }
    const { userId, list } = target;
    const preferences = await this.services.read(FindMailPreferences, { userId }, ANONYMOUS);
    if (preferences === null) throw new DomainError('UNSUBSCRIBE_LINK_INVALID');
    return { list, subscribed: preferences[list] };
  }

  @Describe({
    summary: 'Unsubscribe with an emailed link',
    description:
      'One-click unsubscribe according to RFC 8058. `token` names the person and the list. The body is ignored and may be a form. Accepted from any site. Idempotent.',
    answers: { 200: Notice },
    refuses: ['UNSUBSCRIBE_LINK_INVALID'],
  })
  @Post(':token')
  @Access('public')
  @routeTraits({ body: 'any', fromAnywhere: true })
  async unsubscribe(@Param('token') token: string): Promise<Notice> {
    await this.turn(token, false);
    return { message: 'You will not get these emails anymore' };
  }

  @Describe({
    summary: 'Subscribe again with an unsubscribe link',
    description: 'Undoes `POST /api/unsubscribe/{token}`. Idempotent.',
    answers: { 200: Notice },
    refuses: ['UNSUBSCRIBE_LINK_INVALID'],
  })
  @Post(':token/undo')
  @Access('public')
  async undo(@Param('token') token: string): Promise<Notice> {
    await this.turn(token, true);
    return { message: 'You will get these emails again' };
  }

  private async turn(token: string, subscribed: boolean): Promise<void> {
    const target = this.target(token);
    if ('registrationId' in target)
      await this.services.call(SetGuestMessages, { ...target, subscribed }, ANONYMOUS);
    else if ('subscriptionId' in target)
      await this.services.call(SetVisitorList, { ...visitorList(target), subscribed }, ANONYMOUS);
    else {
      const { userId, list } = target;
      await this.services.call(Unsubscribe, { userId, [list]: subscribed }, ANONYMOUS);
    }
  }

  private target(token: string) {
    const target = verifyUnsubscribe(token, this.config.linkSecrets);
    if (target === null) throw new DomainError('UNSUBSCRIBE_LINK_INVALID');
    return target;
  }
}

function visitorList({
  subscriptionId,
  list,
}: {
  subscriptionId: string;
  list: MailList;
}): VisitorListRequest {
  const known = VISITOR_LISTS.find((name) => name === list);
  if (known === undefined) throw new DomainError('UNSUBSCRIBE_LINK_INVALID');
  return { subscriptionId, list: known };
}
