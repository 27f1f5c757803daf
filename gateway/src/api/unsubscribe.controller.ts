import { DomainError, Unsubscribe } from '@meetmark/contracts';
import { verifyUnsubscribe } from '@meetmark/platform/links/unsubscribe-link';
import { Controller, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Access } from '../access/access.js';
import { GatewayConfig } from '../gateway.config.js';
import { routeTraits } from '../http/route.js';
import { Describe } from '../openapi/describe.js';
import { Services } from './services.js';

/** One-click unsubscribe (RFC 8058): the signed address itself says who stops which kind of mail. */
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
    refuses: ['NOT_FOUND'],
  })
  @Get(':token')
  @Access('public')
  toPage(@Param('token') token: string, @Res() reply: FastifyReply): void {
    this.target(token);
    void reply.redirect(`/unsubscribe?token=${encodeURIComponent(token)}`, 302);
  }

  /** Sent by the mail program, from anywhere and without a cookie, or by our own page. */
  @Describe({
    summary: 'One-click unsubscribe (RFC 8058)',
    answers: { 200: 'Notice' },
    refuses: ['NOT_FOUND'],
  })
  @Post(':token')
  @HttpCode(200)
  @Access('public')
  @routeTraits({ body: 'form', fromAnywhere: true })
  async unsubscribe(@Param('token') token: string): Promise<{ message: string }> {
    const { userId, list } = this.target(token);
    await this.services.call(Unsubscribe, { userId, [list]: false }, { identity: null });
    return { message: 'You will not get these mails any more' };
  }

  private target(token: string) {
    const target = verifyUnsubscribe(token, this.config.linkSecrets);
    if (target === null) throw new DomainError('NOT_FOUND');
    return target;
  }
}
