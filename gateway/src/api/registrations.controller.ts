import {
  IsMoment,
  ListAttendees,
  ListMyEvents,
  ListRegistrations,
  MyEventsRequest,
  PageRequest,
  Register,
  Unregister,
  type Attendee,
  type Event,
  type Registration,
  type RegistrationWithMember,
  type User,
} from '@meetmark/contracts';
import { Controller, Delete, Get, HttpCode, Post, Res } from '@nestjs/common';
import { IsOptional } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { Access } from '../access/access.js';
import { Caller } from '../http/caller.js';
import { RateLimiter } from '../limits/rate-limiter.js';
import { Fields, Filter, Id } from './fields.js';
import { answerPage } from './pages.js';
import { Services } from './services.js';

/** The body of POST /api/events/{id}/register: empty, or the moment that the member comes for (D39). */
export class RegisterBody {
  @IsOptional()
  @IsMoment()
  selectedDate?: string;
}

export interface RegistrationAnswer {
  message: string;
  registration: Registration;
}

@Controller('api')
export class RegistrationsController {
  constructor(
    private readonly services: Services,
    private readonly limiter: RateLimiter,
  ) {}

  @Post('events/:id/register')
  @Access('member')
  async register(
    @Caller() caller: User,
    @Id() eventId: string,
    @Fields(RegisterBody) fields: RegisterBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RegistrationAnswer> {
    await this.limiter.consume('registrations', caller.id);
    const { created, registration } = await this.services.call(Register, { eventId, ...fields });
    void reply.status(created ? 201 : 200);
    const message = created
      ? 'Successfully registered for event'
      : 'You are already registered for this event';
    return { message, registration };
  }

  @Delete('events/:id/register')
  @HttpCode(204)
  @Access('member')
  async unregister(@Caller() caller: User, @Id() eventId: string): Promise<void> {
    await this.limiter.consume('registrations', caller.id);
    await this.services.call(Unregister, { eventId });
  }

  @Get('my-events')
  @Access('member')
  async myEvents(
    @Filter(MyEventsRequest) filter: MyEventsRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Event[]> {
    return answerPage(reply, filter, await this.services.read(ListMyEvents, filter));
  }

  @Get('events/:id/attendees')
  @Access('member')
  attendees(@Id() eventId: string): Promise<Attendee[]> {
    return this.services.read(ListAttendees, { eventId });
  }

  @Get('events/:id/registrations')
  @Access('admin')
  async registrations(
    @Id() eventId: string,
    @Filter(PageRequest) page: PageRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RegistrationWithMember[]> {
    return answerPage(reply, page, await this.services.read(ListRegistrations, { eventId, ...page }));
  }
}
