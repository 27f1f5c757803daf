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
import { Describe, describeList, describePage } from '../openapi/describe.js';
import { Services } from '../services.js';
import { ActivityDay, AuditEntry, Checklist, SecurityEvent, Summary, SystemStatus } from './admin.dto.js';
import { SecurityEventEntity, SecurityEvents } from './security-events.js';

@Controller('api/admin')
export class ReportsController {
  constructor(private readonly services: Services) {}

  @Describe({ summary: 'Get the dashboard figures', answers: { 200: Summary } })
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
    summary: 'Count the registrations of the last 7 days',
    description: "One item per day in the community's time zone, oldest first.",
    answers: { 200: describeList(ActivityDay) },
  })
  @Get('registration-activity')
  @Access('admin')
  activity(): Promise<ActivityDay[]> {
    return this.services.read(GetRegistrationActivity, {});
  }

  @Describe({
    summary: 'List the audit log',
    description: 'Shows who changed what, newest first.',
    answers: { 200: describePage(AuditEntry) },
  })
  @Get('audit')
  @Access('admin')
  async audit(
    @Filter(AuditFilter) filter: AuditFilter,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AuditEntry[]> {
    return answerPage(reply, filter, await this.services.read(ListAudit, filter));
  }

  @Describe({
    summary: 'Get the system status',
    description: 'Returns the replicas of each process, the queues and recent emails.',
    answers: { 200: SystemStatus },
  })
  @Get('system')
  @Access('admin')
  system(): Promise<SystemStatus> {
    return this.services.read(GetSystemStatus, {});
  }

  @Describe({
    summary: 'Send a test email to yourself',
    description: 'Goes through the queue and the mail server. `GET /api/admin/system` shows the result.',
    answers: { 202: Notice },
  })
  @Post('system/test-mail')
  @Access('admin')
  async testMail(): Promise<Notice> {
    await this.services.call(SendTestMail, {});
    return { message: 'A test email to your address is on its way' };
  }

  @Describe({
    summary: 'Get the setup checklist',
    description: 'Lists what an owner should do in the first month, and what is done.',
    answers: { 200: Checklist },
  })
  @Get('checklist')
  @Access('admin')
  checklist(): Promise<Checklist> {
    return this.services.read(GetChecklist, {});
  }

  @Describe({
    summary: "Check the sender domain's DNS records",
    description:
      'Looks up SPF and DMARC, and with `selector` DKIM, of the domain that emails come from. Runs in the background: `GET /api/admin/checklist` has the result in `mailCheck`. Compare `checkedAt` to tell a new result.',
    answers: { 202: Notice },
  })
  @Post('mail-check')
  @HttpCode(202)
  @Access('admin')
  @Limited('mail-checks')
  async mailCheck(@Fields(CheckMailRequest) request: CheckMailRequest): Promise<Notice> {
    await this.services.call(CheckMail, request);
    return { message: 'The DNS records are being checked' };
  }
}

const NEWEST_FIRST = {
  name: '-at',
  key: 'e.at',
  type: 'timestamptz',
  id: 'e.id',
  direction: 'DESC',
} as const;
/** Default page size. It keeps the response small after an attack with many attempts. */
const LIMIT = 100;

@Controller('api/admin')
export class SecurityController {
  constructor(
    private readonly database: DataSource,
    private readonly events: SecurityEvents,
  ) {}

  @Describe({
    summary: 'List security events',
    description:
      'Sign-ins, failed sign-ins and changes of credentials, newest first. `limit` defaults to 100. Accounts and networks are pseudonyms.',
    answers: { 200: describePage(SecurityEvent) },
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
      query.andWhere('e.account = :account', { account: this.events.getAccountPseudonym(email) });
    const page = await keysetPage(query, { limit, cursor }, NEWEST_FIRST);
    const items = page.items.map((event) => ({ ...event, at: event.at.toISOString() }));
    return answerPage(reply, filter, { ...page, items });
  }
}
