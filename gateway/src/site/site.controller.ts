import { DomainError } from '@meetmark/contracts';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../access/access.js';
import { routeTraits } from '../http/route.js';
import { GatewayConfig } from '../gateway.config.js';
import { cookieName } from '../sessions/session-plugin.js';
import { Pages } from './pages.js';
import { cacheControlOf, isFile } from './web-files.js';

/** Addresses of ours that are never a page, however they are spelled. */
const NOT_A_PAGE = /^\/(api|media)(\/|$)/i;

/** @fastify/static would refuse it too, as forbidden; here it simply does not exist. */
const LEADS_OUT = /\.\.|\\/;

/** Everything that is not the API: files of the web application, and its one page under each of its addresses. */
@ApiExcludeController()
@Controller()
export class SiteController {
  constructor(
    private readonly config: GatewayConfig,
    private readonly pages: Pages,
  ) {}

  @Get('events/:id')
  @Access('public')
  @routeTraits({ anonymous: true })
  async event(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    refuseUnlessPage(request);
    const { id } = request.params as { id: string };
    const page = await this.pages.ofEvent(id, { visitor: this.isVisitor(request), ip: request.ip });
    await page.send(request, reply);
  }

  @Get('*')
  @Access('public')
  @routeTraits({ anonymous: true })
  async anything(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const path = `/${(request.params as { '*': string })['*']}`;
    if (this.config.webRoot === undefined || NOT_A_PAGE.test(path) || LEADS_OUT.test(path))
      throw new DomainError('NOT_FOUND');
    if (isFile(path)) return void reply.header('cache-control', cacheControlOf(path)).sendFile(path);
    refuseUnlessPage(request);
    const page = await this.pages.of(path, this.isVisitor(request));
    await page.send(request, reply);
  }

  /** Cookies of pages are not read (`anonymous`); that there is none of a session is all that matters here. */
  private isVisitor({ headers: { cookie = '' } }: FastifyRequest): boolean {
    return !cookie.includes(`${cookieName(this.config)}=`);
  }
}

/** A client that wants no HTML gets no page. */
function refuseUnlessPage({ headers: { accept = '*/*' } }: FastifyRequest): void {
  if (!/text\/html|\*\/\*/i.test(accept)) throw new DomainError('NOT_FOUND');
}
