import { Readable } from 'node:stream';
import type * as Contract from '@meetmark/contracts';
import {
  DATA_EXPORT,
  DomainError,
  GetDataExport,
  GetDataExportPart,
  RequestDataExport,
} from '@meetmark/contracts';
import type { Call } from '@meetmark/platform';
import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SecurityEvents } from '../admin/security-events.js';
import { Access, BeforeConsent, FreshSignIn, Heavy } from '../http/access.js';
import { Caller, withNewDeadline } from '../http/request.js';
import { COUNT, ID, MOMENT, MOMENT_OR_NULL } from '../openapi/answers.js';
import { Describe, orNull } from '../openapi/describe.js';
import { Services } from '../services.js';
import { User } from './users.dto.js';

class DataExport implements Contract.DataExport {
  @ApiProperty(ID) id!: string;
  @ApiProperty(MOMENT) requestedAt!: string;
  @ApiProperty({ ...MOMENT_OR_NULL, description: 'null while the file is being prepared' })
  readyAt!: string | null;
  @ApiProperty({ ...MOMENT, description: 'The file is deleted after this time' }) expiresAt!: string;
  @ApiProperty({ ...COUNT, nullable: true, description: 'In bytes. null until the file is ready' })
  size!: number | null;
}

@Controller('api/user/export')
export class DataExportController {
  constructor(
    private readonly services: Services,
    private readonly securityEvents: SecurityEvents,
  ) {}

  @Describe({
    summary: 'Request a download of your data',
    description:
      'Prepares a ZIP file in the background and emails you when it is ready. Until it expires after 24 hours, another request returns the same download.',
    answers: { 202: DataExport },
  })
  @Post()
  @Access('member')
  @BeforeConsent()
  @FreshSignIn('sensitive')
  request(@Caller() { email }: User): Promise<DataExport> {
    const account = this.securityEvents.getAccountPseudonym(email);
    return this.services.call(RequestDataExport, { account });
  }

  @Describe({
    summary: 'Get the state of your download',
    description: 'Returns `null` if you have none, or if it expired.',
    answers: { 200: orNull(DataExport) },
  })
  @Get()
  @Access('member')
  @BeforeConsent()
  async get(@Res() reply: FastifyReply): Promise<void> {
    const present = await this.services.read(GetDataExport, {});
    void reply.type('application/json; charset=utf-8').send(JSON.stringify(present)); // Nest would send an empty body for null.
  }

  @Describe({
    summary: 'Download your data',
    description:
      'ZIP file with JSON files, images and a calendar. `schema.json` in it is a JSON Schema with a property for each JSON file.',
    answers: { 200: 'application/zip' },
    refuses: ['DATA_EXPORT_NOT_FOUND'],
  })
  @Get('file')
  @Access('member')
  @BeforeConsent()
  @Heavy()
  async file(@Req() { call }: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const present = await this.services.read(GetDataExport, {});
    if (present === null || present.size === null) throw new DomainError('DATA_EXPORT_NOT_FOUND');
    void reply
      .headers({
        'content-disposition': 'attachment; filename="my-data.zip"',
        'content-length': present.size,
        'cache-control': 'no-store',
      })
      .type('application/zip')
      .send(Readable.from(this.parts(present.id, present.size, call)));
  }

  private async *parts(exportId: string, size: number, call: Call): AsyncGenerator<Buffer> {
    for (let number = 0; number < size / DATA_EXPORT.partBytes; number += 1) {
      const { base64 } = await withNewDeadline(call, () =>
        this.services.read(GetDataExportPart, { exportId, number }),
      );
      yield Buffer.from(base64, 'base64');
    }
  }
}
