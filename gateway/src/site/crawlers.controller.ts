import {
  type Community,
  DomainError,
  LIMITS,
  ListEventAddresses,
  ListPublicEvents,
  type EventAddress,
} from '@meetmark/contracts';
import { eventPath } from '@meetmark/contracts/events/event-path';
import { InjectCommunity } from '@meetmark/platform';
import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CachedResponse } from '../cache/cached-response.js';
import { ResponseCache } from '../cache/response-cache.js';
import { GatewayConfig } from '../gateway.config.js';
import { Access } from '../http/access.js';
import { ANONYMOUS, Services } from '../services.js';
import { xmlText } from './meta.js';

const PUBLIC_PAGES = ['/', '/events'];

@ApiExcludeController()
@Controller()
export class CrawlersController {
  constructor(
    private readonly config: GatewayConfig,
    private readonly services: Services,
    private readonly answers: ResponseCache,
    @InjectCommunity() private readonly community: Community,
  ) {}

  @Get('robots.txt')
  @Access('public')
  robots(@Res() reply: FastifyReply): Promise<void> {
    const lines = [
      'User-agent: *',
      'Disallow: /api/',
      'Disallow: /admin',
      `Sitemap: ${this.url('/sitemap.xml')}`,
    ];
    return new CachedResponse(`${lines.join('\n')}\n`, 'text/plain; charset=utf-8').send(reply);
  }

  @Get('sitemap.xml')
  @Access('public')
  async sitemap(@Query('page') page: unknown, @Res() reply: FastifyReply): Promise<void> {
    const answer =
      page === undefined
        ? await this.answers.get('sitemap', () => this.wholeSitemap())
        : await this.answers.get(`sitemap ${pageNumber(page)}`, () => this.sitemapPage(pageNumber(page)));
    await answer.send(reply);
  }

  private async wholeSitemap(): Promise<CachedResponse> {
    const { items, total, nextCursor } = await this.services.read(ListPublicEvents, {}, ANONYMOUS);
    if (nextCursor === null) return xml('urlset', [...this.pages(), ...this.addresses(items)]);
    const files = Array.from({ length: Math.ceil(total / LIMITS.listMax) }, (_, n) => n + 1);
    return xml(
      'sitemapindex',
      files.map((n) => `<sitemap><loc>${this.url(`/sitemap.xml?page=${n}`)}</loc></sitemap>`),
    );
  }

  private async sitemapPage(page: number): Promise<CachedResponse> {
    const events = await this.services.read(ListEventAddresses, { page }, ANONYMOUS);
    if (events.length === 0 && page > 1) throw new DomainError('NOT_FOUND');
    return xml('urlset', [...(page === 1 ? this.pages() : []), ...this.addresses(events)]);
  }

  private pages(): string[] {
    return [...PUBLIC_PAGES, ...this.community.legalPages.map((page) => `/${page}`)].map(
      (path) => `<url><loc>${this.url(path)}</loc></url>`,
    );
  }

  private addresses(events: EventAddress[]): string[] {
    return events.map(
      (event) => `<url><loc>${this.url(eventPath(event))}</loc><lastmod>${event.updatedAt}</lastmod></url>`,
    );
  }

  private url(path: string): string {
    return xmlText(new URL(path, this.config.publicUrl).href);
  }
}

function pageNumber(page: unknown): number {
  if (typeof page !== 'string' || !/^[1-9]\d{0,4}$/.test(page)) throw new DomainError('NOT_FOUND');
  return Number(page);
}

const xml = (root: 'urlset' | 'sitemapindex', entries: string[]) =>
  new CachedResponse(
    `<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('\n')}
</${root}>
`,
    'application/xml; charset=utf-8',
  );
