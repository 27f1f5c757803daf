import {
  AuditFilter,
  GetRegistrationActivity,
  GetSystemStatus,
  ListAudit,
  SendTestMail,
  Summarise,
  type ActivityDay,
  type AuditEntry,
  type Summary,
  type SystemStatus,
} from '@meetmark/contracts';
import { Controller, Get, HttpCode, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Access } from '../access/access.js';
import { Describe } from '../openapi/describe.js';
import { Filter } from './fields.js';
import { answerPage } from './pages.js';
import { Services } from './services.js';

/** Figures and records for administrators. */
@Controller('api/admin')
export class ReportsController {
  constructor(private readonly services: Services) {}

  @Describe({ summary: "Figures of the administrators' dashboard", answers: { 200: 'Summary' } })
  @Get('summary')
  @Access('admin')
  summary(): Promise<Summary> {
    return this.services.read(Summarise, {});
  }

  @Describe({ summary: 'Registrations of the last 7 days, oldest first', answers: { 200: 'ActivityDay[]' } })
  @Get('registration-activity')
  @Access('admin')
  activity(): Promise<ActivityDay[]> {
    return this.services.read(GetRegistrationActivity, {});
  }

  @Describe({ summary: 'Who did what, newest first', answers: { 200: 'page of AuditEntry' } })
  @Get('audit')
  @Access('admin')
  async audit(
    @Filter(AuditFilter) filter: AuditFilter,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AuditEntry[]> {
    return answerPage(reply, filter, await this.services.read(ListAudit, filter));
  }

  @Describe({ summary: 'Processes, queues and mails', answers: { 200: 'SystemStatus' } })
  @Get('system')
  @Access('admin')
  system(): Promise<SystemStatus> {
    return this.services.read(GetSystemStatus, {});
  }

  @Describe({ summary: 'Mail the caller a test', answers: { 202: 'Notice' } })
  @Post('system/test-mail')
  @HttpCode(202)
  @Access('admin')
  async testMail(): Promise<{ message: string }> {
    await this.services.call(SendTestMail, {});
    return { message: 'A test mail to your own address is on its way' };
  }
}
