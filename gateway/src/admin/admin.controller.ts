import {
  AuditFilter,
  CheckMail,
  CheckMailRequest,
  GetChecklist,
  GetRegistrationActivity,
  GetSystemStatus,
  ListAudit,
  SecurityEventFilter,
  SendTestMail,
  SummariseAccounts,
  SummariseEvents,
} from '@meetmark/contracts';
import { keysetPage } from '@meetmark/platform';
import { Controller, Get, HttpCode, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { DataSource } from 'typeorm';
import { Access, Limited } from '../http/access.js';
import { answerPage, Fields, Filter } from '../http/fields.js';
import { Notice } from '../openapi/answers.js';
import { Describe, listOf, pageOf } from '../openapi/describe.js';
import { Services } from '../services.js';
import { ActivityDay, AuditEntry, Checklist, SecurityEvent, Summary, SystemStatus } from './admin.dto.js';
import { SecurityEventEntity, SecurityEvents } from './security-events.js';

/** Figures and records for administrators. */
@Controller('api/admin')
export class ReportsController {
  constructor(private readonly services: Services) {}

  @Describe({ summary: "Figures of the administrators' dashboard", answers: { 200: Summary } })
  @Get('summary')
  @Access('admin')
  async summary(): Promise<Summary> {
    const [accounts, events] = await Promise.all([
      this.services.read(SummariseAccounts, {}),
      this.services.read(SummariseEvents, {}),
    ]);
    return {
      totalEvents: events.total,
      eventsThisMonth: events.createdLast30Days,
      upcomingEvents: events.upcoming,
      nextEvents: events.nextEvents,
      totalUsers: accounts.total,
      newUsers: accounts.createdLast30Days,
    };
  }

  @Describe({
    summary: 'Registrations of the last 7 days, oldest first',
    answers: { 200: listOf(ActivityDay) },
  })
  @Get('registration-activity')
  @Access('admin')
  activity(): Promise<ActivityDay[]> {
    return this.services.read(GetRegistrationActivity, {});
  }

  @Describe({ summary: 'Who did what, newest first', answers: { 200: pageOf(AuditEntry) } })
  @Get('audit')
  @Access('admin')
  async audit(
    @Filter(AuditFilter) filter: AuditFilter,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AuditEntry[]> {
    return answerPage(reply, filter, await this.services.read(ListAudit, filter));
  }

  @Describe({ summary: 'Processes, queues and mails', answers: { 200: SystemStatus } })
  @Get('system')
  @Access('admin')
  system(): Promise<SystemStatus> {
    return this.services.read(GetSystemStatus, {});
  }

  @Describe({ summary: 'Mail the caller a test', answers: { 202: Notice } })
  @Post('system/test-mail')
  @Access('admin')
  async testMail(): Promise<Notice> {
    await this.services.call(SendTestMail, {});
    return { message: 'A test mail to your own address is on its way' };
  }

  @Describe({ summary: 'What owners see to in the first month', answers: { 200: Checklist } })
  @Get('checklist')
  @Access('admin')
  checklist(): Promise<Checklist> {
    return this.services.read(GetChecklist, {});
  }

  @Describe({
    summary:
      'Have SPF, DKIM and DMARC of the domain that mails come from looked up; the checklist has the result',
    answers: { 202: Notice },
  })
  @Post('mail-check')
  @HttpCode(202)
  @Access('admin')
  @Limited('mail-checks')
  async mailCheck(@Fields(CheckMailRequest) request: CheckMailRequest): Promise<Notice> {
    await this.services.call(CheckMail, request);
    return { message: 'The records are being looked up' };
  }
}

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
    answers: { 200: pageOf(SecurityEvent) },
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
