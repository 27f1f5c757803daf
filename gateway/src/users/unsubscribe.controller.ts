import {
  DomainError,
  FindGuestMessages,
  FindMailPreferences,
  FindVisitorList,
  isLocale,
  type MailList,
  SetGuestMessages,
  SetVisitorList,
  Unsubscribe,
  VISITOR_LISTS,
  type VisitorListRequest,
} from '@meetmark/contracts';
import { unsubscribePagePath, verifyUnsubscribe } from '@meetmark/platform/identity/unsubscribe-link';
import { Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { GatewayConfig } from '../gateway.config.js';
import { Access, routeTraits } from '../http/access.js';
import { Notice } from '../openapi/answers.js';
import { Describe } from '../openapi/describe.js';
import { ANONYMOUS, Services } from '../services.js';
import { MailListState } from './users.dto.js';

/**
 * Ends a list of mails by the signed link of a mail. The link names member and list, or somebody without an account, so it acts for that person
 * only, also in a browser where another user is signed in.
 */
@Controller('api/unsubscribe')
export class UnsubscribeController {
  constructor(
    private readonly config: GatewayConfig,
    private readonly services: Services,
  ) {}

  /** Changes nothing, because mail scanners open every link. */
  @Describe({
    summary: 'Sends a browser to the page that unsubscribes',
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
    summary: 'Which list the link stops, and whether it is stopped',
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

  /** Called by mail programs, from any site and without a cookie, or by the page of this site. The body is ignored. */
  @Describe({
    summary: 'One-click unsubscribe (RFC 8058)',
    answers: { 200: Notice },
    refuses: ['UNSUBSCRIBE_LINK_INVALID'],
  })
  @Post(':token')
  @Access('public')
  @routeTraits({ body: 'any', fromAnywhere: true })
  async unsubscribe(@Param('token') token: string): Promise<Notice> {
    await this.turn(token, false);
    return { message: 'You will not get these mails any more' };
  }

  @Describe({
    summary: 'Take an unsubscription back',
    answers: { 200: Notice },
    refuses: ['UNSUBSCRIBE_LINK_INVALID'],
  })
  @Post(':token/undo')
  @Access('public')
  async undo(@Param('token') token: string): Promise<Notice> {
    await this.turn(token, true);
    return { message: 'You get these mails again' };
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

/** @throws DomainError UNSUBSCRIBE_LINK_INVALID */
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
