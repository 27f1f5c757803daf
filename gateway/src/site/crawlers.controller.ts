import { ListPublicEvents } from '@meetmark/contracts';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import escape from 'escape-html';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../access/access.js';
import { Answer } from '../answers/answer.js';
import { PublicAnswers } from '../answers/public-answers.js';
import { Services } from '../api/services.js';
import { GatewayConfig } from '../gateway.config.js';

/** Pages that are about nobody. */
const PUBLIC_PAGES = ['/', '/events'];

/** What search engines ask for. */
@ApiExcludeController()
@Controller()
export class CrawlersController {
  constructor(
    private readonly config: GatewayConfig,
    private readonly services: Services,
    private readonly answers: PublicAnswers,
  ) {}

  @Get('robots.txt')
  @Access('public')
  robots(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const lines = [
      'User-agent: *',
      'Disallow: /api/',
      'Disallow: /admin',
      `Sitemap: ${this.url('/sitemap.xml')}`,
    ];
    return new Answer(`${lines.join('\n')}\n`, 'text/plain; charset=utf-8').send(request, reply);
  }

  @Get('sitemap.xml')
  @Access('public')
  async sitemap(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const answer = await this.answers.get('sitemap', async () => {
      const { items } = await this.services.read(ListPublicEvents, {}, { identity: null });
      const entries = [
        ...PUBLIC_PAGES.map((path) => `<url><loc>${this.url(path)}</loc></url>`),
        ...items.map(
          ({ id, updatedAt }) =>
            `<url><loc>${this.url(`/events/${id}`)}</loc><lastmod>${updatedAt}</lastmod></url>`,
        ),
      ];
      return new Answer(sitemapXml(entries), 'application/xml; charset=utf-8');
    });
    await answer.send(request, reply);
  }

  private url(path: string): string {
    return escape(new URL(path, this.config.publicUrl).href);
  }
}

const sitemapXml = (entries: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('\n')}
</urlset>
`;
