import { SecurityEventFilter, type SecurityEvent } from '@meetmark/contracts';
import { keysetPage } from '@meetmark/platform';
import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { DataSource } from 'typeorm';
import { Access } from '../access/access.js';
import { Filter } from '../api/fields.js';
import { answerPage } from '../api/pages.js';
import { Describe } from '../openapi/describe.js';
import { SecurityEventEntity, SecurityEvents } from './security-events.js';

const NEWEST_FIRST = {
  name: '-at',
  key: 'e.at',
  type: 'timestamptz',
  id: 'e.id',
  direction: 'DESC',
} as const;
/** Unless fewer are asked for: a list of everything would be as long as the attack. */
const LIMIT = 100;

@Controller('api/admin')
export class SecurityController {
  constructor(
    private readonly database: DataSource,
    private readonly events: SecurityEvents,
  ) {}

  @Describe({
    summary: 'Who got in, who did not and what changed about it, newest first, at most 100 at a time',
    answers: { 200: 'page of SecurityEvent' },
    query: SecurityEventFilter,
  })
  @Get('security-events')
  @Access('admin')
  async list(
    @Filter(SecurityEventFilter) filter: SecurityEventFilter,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SecurityEvent[]> {
    const { kind, email, cursor, limit = LIMIT } = filter;
    const query = this.database.manager.createQueryBuilder(SecurityEventEntity, 'e').where('true');
    if (kind !== undefined) query.andWhere('e.kind = :kind', { kind });
    if (email !== undefined)
      query.andWhere('e.account = :account', { account: this.events.accountOf(email) });
    const page = await keysetPage(query, { limit, cursor }, NEWEST_FIRST);
    const items = page.items.map((event) => ({ ...event, at: event.at.toISOString() }));
    return answerPage(reply, filter, { ...page, items });
  }
}
