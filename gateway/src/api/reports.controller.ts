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
import { Filter } from './fields.js';
import { answerPage } from './pages.js';
import { Services } from './services.js';

/** Figures and records for administrators. */
@Controller('api/admin')
export class ReportsController {
  constructor(private readonly services: Services) {}

  @Get('summary')
  @Access('admin')
  summary(): Promise<Summary> {
    return this.services.read(Summarise, {});
  }

  @Get('registration-activity')
  @Access('admin')
  activity(): Promise<ActivityDay[]> {
    return this.services.read(GetRegistrationActivity, {});
  }

  @Get('audit')
  @Access('admin')
  async audit(
    @Filter(AuditFilter) filter: AuditFilter,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AuditEntry[]> {
    return answerPage(reply, filter, await this.services.read(ListAudit, filter));
  }

  @Get('system')
  @Access('admin')
  system(): Promise<SystemStatus> {
    return this.services.read(GetSystemStatus, {});
  }

  @Post('system/test-mail')
  @HttpCode(202)
  @Access('admin')
  async testMail(): Promise<{ message: string }> {
    await this.services.call(SendTestMail, {});
    return { message: 'A test mail to your own address is on its way' };
  }
}
