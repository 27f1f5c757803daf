import { DomainError, FindMailPreferences, Unsubscribe, type MailListState } from '@meetmark/contracts';
import { unsubscribePagePath, verifyUnsubscribe } from '@meetmark/platform/identity/unsubscribe-link';
import { Controller, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Access } from '../access/access.js';
import { GatewayConfig } from '../gateway.config.js';
import { routeTraits } from '../http/route.js';
import { Describe } from '../openapi/describe.js';
import { Services } from '../services.js';

const NOBODY = { identity: null };

/** Stopping a list of mails by the signed link of a mail: the address itself says who stops which. It acts for that member only, also in a browser where somebody else is signed in. */
@Controller('api/unsubscribe')
export class UnsubscribeController {
  constructor(
    private readonly config: GatewayConfig,
    private readonly services: Services,
  ) {}

  /** Changes nothing: mail scanners follow every link. */
  @Describe({
    summary: 'Sends a browser to the page that unsubscribes',
    answers: { 302: null },
    refuses: ['UNSUBSCRIBE_LINK_INVALID'],
  })
  @Get(':token')
  @Access('public')
  toPage(@Param('token') token: string, @Res() reply: FastifyReply): void {
    this.target(token);
    void reply.redirect(unsubscribePagePath(token), 302);
  }

  @Describe({
    summary: 'Which list the link stops, and whether it is stopped',
    answers: { 200: 'MailListState' },
    refuses: ['UNSUBSCRIBE_LINK_INVALID'],
  })
  @Get(':token/list')
  @Access('public')
  async list(@Param('token') token: string): Promise<MailListState> {
    const { userId, list } = this.target(token);
    const preferences = await this.services.read(FindMailPreferences, { userId }, NOBODY);
    if (preferences === null) throw new DomainError('UNSUBSCRIBE_LINK_INVALID');
    return { list, subscribed: preferences[list] };
  }

  /** Sent by the mail program, from anywhere and without a cookie, or by our own page. The address says everything: a body is not looked at. */
  @Describe({
    summary: 'One-click unsubscribe (RFC 8058)',
    answers: { 200: 'Notice' },
    refuses: ['UNSUBSCRIBE_LINK_INVALID'],
  })
  @Post(':token')
  @HttpCode(200)
  @Access('public')
  @routeTraits({ body: 'form', fromAnywhere: true })
  async unsubscribe(@Param('token') token: string): Promise<{ message: string }> {
    await this.turn(token, false);
    return { message: 'You will not get these mails any more' };
  }

  @Describe({
    summary: 'Take an unsubscription back',
    answers: { 200: 'Notice' },
    refuses: ['UNSUBSCRIBE_LINK_INVALID'],
  })
  @Post(':token/undo')
  @HttpCode(200)
  @Access('public')
  async undo(@Param('token') token: string): Promise<{ message: string }> {
    await this.turn(token, true);
    return { message: 'You get these mails again' };
  }

  private async turn(token: string, subscribed: boolean): Promise<void> {
    const { userId, list } = this.target(token);
    await this.services.call(Unsubscribe, { userId, [list]: subscribed }, NOBODY);
  }

  private target(token: string) {
    const target = verifyUnsubscribe(token, this.config.linkSecrets);
    if (target === null) throw new DomainError('UNSUBSCRIBE_LINK_INVALID');
    return target;
  }
}
