import {
  type Community,
  ConfirmContact,
  DomainError,
  GetEvent,
  HOST_MESSAGES,
  HostMessageCodeFields,
  HostMessageFields,
  RequestContact,
  type User,
  VisitorMessageFields,
  WriteToHost,
  WriteToHostAsVisitor,
} from '@meetmark/contracts';
import { InjectCommunity } from '@meetmark/platform';
import { Body, Controller, Post, Req } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Access } from '../http/access.js';
import { checkedOfEvent, Id } from '../http/fields.js';
import { Caller } from '../http/request.js';
import { Idempotency } from '../idempotency/idempotency.js';
import { Notice } from '../openapi/answers.js';
import { Describe } from '../openapi/describe.js';
import { CodeLimits } from '../rate-limits/sign-in-limits.js';
import { Services } from '../services.js';
import { FlowCookies } from '../sessions/browser-cookies.js';

class RequestedContact {
  @ApiProperty({
    description:
      'Send it with the code to `POST /api/events/{id}/host-messages/visitor`. Works only with the cookie of this response',
  })
  flow!: string;
}

const SENT: Notice = { message: 'Your message is on its way to the host' };

@Controller('api/events/:id/host-messages')
export class HostMessagesController {
  constructor(
    private readonly services: Services,
    private readonly limits: CodeLimits,
    private readonly flows: FlowCookies,
    private readonly idempotency: Idempotency,
    @InjectCommunity() private readonly community: Community,
  ) {}

  @Describe({
    summary: 'Write to the host of an event',
    description:
      'Emails the message to the host, who sees your name and address and answers by email. 404 `NOT_FOUND` if the setting `contactHost` is off. 409 `ADDRESS_UNPROVED` until your email address is verified. Up to 3 messages per person and 20 per host within 24 hours, then 429.',
    answers: { 202: Notice },
    refuses: [
      'NOT_FOUND',
      'EVENT_NOT_FOUND',
      'ADDRESS_UNPROVED',
      'HOST_NOT_REACHABLE',
      'REQUEST_IN_PROGRESS',
    ],
    idempotent: true,
    body: HostMessageFields,
  })
  @Post()
  @Access('member')
  async write(
    @Id() eventId: string,
    @Caller() caller: User,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<Notice> {
    this.requireOn();
    const { message } = await checkedOfEvent(this.services, eventId, HostMessageFields, body);
    return this.idempotency.once(request, caller.id, { again: true }, async (id) => {
      await this.services.call(WriteToHost, { id, eventId, message });
      return SENT;
    });
  }

  @Describe({
    summary: 'Send a visitor a code for messaging hosts',
    description:
      'For visitors. The response is the same whether or not the address has an account. Keep the cookie that this response sets, and send `flow` with the code.',
    answers: { 202: RequestedContact },
    refuses: ['NOT_FOUND', 'EVENT_NOT_FOUND', 'HOST_NOT_REACHABLE'],
    body: HostMessageCodeFields,
  })
  @Post('code')
  @Access('public')
  async requestCode(
    @Id() eventId: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<RequestedContact> {
    this.requireOn();
    const { email } = await checkedOfEvent(this.services, eventId, HostMessageCodeFields, body);
    const { status, endDate } = await this.services.read(GetEvent, { eventId });
    // Avoids emailing a code that can't be used. The events service checks the same conditions again.
    if (status === 'draft' || Date.parse(endDate) + HOST_MESSAGES.takenAfter < Date.now())
      throw new DomainError('HOST_NOT_REACHABLE');
    await this.limits.requestForAnyone(request, email);
    return this.services.call(RequestContact, {
      ...{ email, eventId },
      asker: this.flows.begin(request, 'contact', email),
    });
  }

  @Describe({
    summary: 'Write to the host as a visitor',
    description:
      "Needs the code and the cookie from `POST /api/events/{id}/host-messages/code`. Doesn't sign in or create an account. Safe to repeat while the code is valid: the message is sent once.",
    answers: { 202: Notice },
    refuses: ['NOT_FOUND', 'EVENT_NOT_FOUND', 'CODE_INVALID', 'HOST_NOT_REACHABLE'],
    body: VisitorMessageFields,
  })
  @Post('visitor')
  @Access('public')
  async writeAsVisitor(
    @Id() eventId: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<Notice> {
    this.requireOn();
    const { name, message, ...code } = await checkedOfEvent(
      this.services,
      eventId,
      VisitorMessageFields,
      body,
    );
    await this.limits.attempt(request, 'contact');
    const asker = this.flows.present(request, 'contact');
    const { proof } = await this.services.call(ConfirmContact, { ...code, asker });
    await this.services.call(WriteToHostAsVisitor, { eventId, proof, name, message });
    return SENT;
  }

  private requireOn(): void {
    if (!this.community.contactHost) throw new DomainError('NOT_FOUND');
  }
}
