import type * as Contract from '@meetmark/contracts';
import { About, DomainError, IsFilled, IsHttpsUrl, LIMITS } from '@meetmark/contracts';
import { IMPORTS } from '@meetmark/contracts/import-limits';
import { Controller, Get, Logger, Post, Res } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { GatewayConfig } from '../gateway.config.js';
import { Access, Limited } from '../http/access.js';
import { Fields } from '../http/fields.js';
import { SharedTurns } from '../http/shared-budgets.js';
import { PublicFetch } from '../media/fetch-public.js';
import { Describe } from '../openapi/describe.js';

const FILE = { accept: 'text/calendar, text/csv, */*;q=0.1', most: IMPORTS.file };

class ImportOptions implements Contract.ImportOptions {
  @ApiProperty({ description: 'Whether `POST /api/admin/imports/fetch` is on' }) urls!: boolean;
}

class ImportUrlFields {
  @About('https URL of a public file', 'https://example.org/events.ics')
  @IsHttpsUrl(LIMITS.url)
  @IsFilled()
  url!: string;
}

@Controller('api/admin/imports')
export class ImportUrlsController {
  private readonly logger = new Logger('Imports');
  private readonly turns = new SharedTurns('imports');
  private readonly isOn: boolean;

  constructor(
    { importUrls }: GatewayConfig,
    private readonly fetcher: PublicFetch,
  ) {
    this.isOn = importUrls === 'on';
  }

  @Describe({ summary: 'Get the options for imports', answers: { 200: ImportOptions } })
  @Get('options')
  @Access('organiser')
  options(): ImportOptions {
    return { urls: this.isOn };
  }

  @Describe({
    summary: 'Fetch a file from a URL',
    description:
      'Returns the file unread, up to 5 MB, so that you can send its events as rows. Follows no redirects. Off unless the operator sets `IMPORT_URLS`.',
    answers: { 200: 'application/octet-stream' },
    refuses: ['IMPORT_URLS_OFF', 'IMPORT_URL_UNREADABLE'],
  })
  @Post('fetch')
  @Access('organiser')
  @Limited('import-urls')
  async fetch(@Fields(ImportUrlFields) { url }: ImportUrlFields, @Res() reply: FastifyReply): Promise<void> {
    if (!this.isOn) throw new DomainError('IMPORT_URLS_OFF');
    const bytes = await this.turns.run(reply.request.ip, () => this.load(new URL(url)));
    // An attachment of unknown type, so that browsers never show what another site sent.
    void reply
      .headers({ 'content-disposition': 'attachment', 'cache-control': 'no-store' })
      .type('application/octet-stream')
      .send(bytes);
  }

  /** All failures look the same to the caller, so that nobody can explore networks. */
  private async load(url: URL): Promise<Buffer> {
    try {
      return await this.fetcher.get(url, FILE);
    } catch (error) {
      this.logger.warn(`Could not fetch a file to import: ${(error as Error).message}`);
      throw new DomainError('IMPORT_URL_UNREADABLE', undefined, { cause: error });
    }
  }
}
