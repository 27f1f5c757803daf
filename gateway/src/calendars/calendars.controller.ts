import type * as Contract from '@meetmark/contracts';
import {
  ADDRESS_TOKEN,
  CreateCalendarFeed,
  DomainError,
  GetCalendarFeed,
  GetEventCalendar,
  GetMemberCalendar,
  GetPublicCalendar,
  RevokeCalendarFeed,
  type CalendarDocument,
} from '@meetmark/contracts';
import { Controller, Delete, Get, Param, Post, Res } from '@nestjs/common';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CachedResponse } from '../cache/cached-response.js';
import { ResponseCache } from '../cache/response-cache.js';
import { GatewayConfig } from '../gateway.config.js';
import { Access } from '../http/access.js';
import { Id } from '../http/fields.js';
import { MOMENT } from '../openapi/answers.js';
import { Describe, orNull } from '../openapi/describe.js';
import { ANONYMOUS, Services } from '../services.js';

@ApiSchema({ description: 'The URL is returned only once, when the feed is created' })
class CalendarFeed implements Contract.CalendarFeed {
  @ApiProperty(MOMENT) createdAt!: string;
  @ApiProperty({ required: false }) url?: string;
}

@Controller('api')
export class CalendarsController {
  constructor(
    private readonly config: GatewayConfig,
    private readonly services: Services,
    private readonly responses: ResponseCache,
  ) {}

  @Describe({
    summary: 'Get the public calendar',
    description:
      'iCalendar file of public events, until 30 days after their end; at most 1,000 events. Calendar apps can subscribe to it.',
    answers: { 200: 'text/calendar' },
  })
  @Get('events/calendar.ics')
  @Access('public')
  async ofCommunity(@Res() reply: FastifyReply): Promise<void> {
    const answer = await this.responses.get('calendar', async () =>
      document(await this.services.read(GetPublicCalendar, {}, ANONYMOUS)),
    );
    await answer.send(reply);
  }

  @Describe({
    summary: 'Get the calendar file of an event',
    answers: { 200: 'text/calendar' },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Get('events/:id/calendar.ics')
  @Access('public')
  async ofEvent(@Id() eventId: string, @Res() reply: FastifyReply): Promise<void> {
    const answer = await this.responses.get(`calendar ${eventId}`, async () =>
      document(
        await this.services.read(GetEventCalendar, { eventId }, ANONYMOUS),
        'attachment; filename="event.ics"',
      ),
    );
    await answer.send(reply);
  }

  @Describe({
    summary: "Get a member's calendar",
    description:
      "The events that the member is registered for. The secret token in the URL replaces the session, because calendar apps don't sign in.",
    answers: { 200: 'text/calendar' },
    refuses: ['CALENDAR_NOT_FOUND'],
  })
  @Get('calendar/:token.ics')
  @Access('public')
  async ofMember(@Param('token') token: string, @Res() reply: FastifyReply): Promise<void> {
    if (!ADDRESS_TOKEN.test(token)) throw new DomainError('CALENDAR_NOT_FOUND');
    const answer = document(await this.services.read(GetMemberCalendar, { token }, ANONYMOUS));
    await answer.send(reply, 'private, no-cache');
  }

  @Describe({
    summary: 'Get your calendar feed',
    description: "Returns when it was created, or `null`. The URL isn't returned again.",
    answers: { 200: orNull(CalendarFeed) },
  })
  @Get('user/calendar-feed')
  @Access('member')
  async feed(@Res() reply: FastifyReply): Promise<void> {
    const feed = await this.services.read(GetCalendarFeed, {});
    void reply.type('application/json; charset=utf-8').send(JSON.stringify(feed)); // Nest would send an empty body for null.
  }

  @Describe({
    summary: 'Create your calendar feed',
    description: 'Replaces the previous one. The URL is returned only here.',
    answers: { 201: CalendarFeed },
  })
  @Post('user/calendar-feed')
  @Access('member')
  async createFeed(): Promise<CalendarFeed> {
    const { token, createdAt } = await this.services.call(CreateCalendarFeed, {});
    return { createdAt, url: new URL(`/api/calendar/${token}.ics`, this.config.publicUrl).href };
  }

  @Describe({
    summary: 'Delete your calendar feed',
    description: 'Its URL stops working. Idempotent.',
    answers: { 204: null },
  })
  @Delete('user/calendar-feed')
  @Access('member')
  revokeFeed(): Promise<void> {
    return this.services.call(RevokeCalendarFeed, {});
  }
}

const document = ({ ics }: CalendarDocument, disposition?: string) =>
  new CachedResponse(
    ics,
    'text/calendar; charset=utf-8',
    disposition === undefined ? {} : { 'content-disposition': disposition },
  );
