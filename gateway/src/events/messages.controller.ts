import {
  CancelEventMessage,
  ChangeEventMessage,
  CreateEventMessage,
  GetEventMessage,
  GetMessageAudience,
  ListEventMessages,
  ListMessageRecipients,
  MessageFields,
  MessageRecipientFilter,
  MessageText,
  PageRequest,
  PreviewEventMessage,
  TestEventMessage,
  type User,
} from '@meetmark/contracts';
import { Controller, Delete, Get, Post, Put, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access, Heavy, Limited } from '../http/access.js';
import { answerPage, Fields, Filter, Id } from '../http/fields.js';
import { Caller } from '../http/request.js';
import { Idempotency } from '../idempotency/idempotency.js';
import { Notice } from '../openapi/answers.js';
import { Describe, describePage } from '../openapi/describe.js';
import { Services } from '../services.js';
import {
  EventMessage,
  EventMessagePage,
  MessageAudience,
  MessageRecipient,
  RenderedMessage,
} from './messages.dto.js';

@Controller('api/admin/events/:id/messages')
export class MessagesController {
  constructor(
    private readonly services: Services,
    private readonly idempotency: Idempotency,
  ) {}

  @Describe({
    summary: "List an event's messages to guests",
    description: 'Newest first.',
    answers: { 200: describePage(EventMessage) },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Get()
  @Access('manager')
  async list(
    @Id() eventId: string,
    @Filter(PageRequest) page: PageRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EventMessage[]> {
    return answerPage(reply, page, await this.services.read(ListEventMessages, { eventId, ...page }));
  }

  @Describe({
    summary: 'Count the recipients in each segment',
    description: 'Returns how many people each segment has now.',
    answers: { 200: MessageAudience },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Get('audience')
  @Access('manager')
  @Heavy()
  audience(@Id() eventId: string): Promise<MessageAudience> {
    return this.services.read(GetMessageAudience, { eventId });
  }

  @Describe({
    summary: 'Send or draft a message',
    description:
      'Sends it immediately, at `sendAt`, or keeps it if `draft` is true. Up to 3 messages per event within 24 hours (409 `MESSAGE_LIMIT`).',
    answers: { 201: EventMessagePage },
    refuses: ['EVENT_NOT_FOUND', 'MESSAGE_WITHOUT_RECIPIENTS', 'MESSAGE_LIMIT', 'REQUEST_IN_PROGRESS'],
    idempotent: true,
  })
  @Post()
  @Access('manager')
  @Heavy()
  create(
    @Id() eventId: string,
    @Caller() caller: User,
    @Fields(MessageFields) fields: MessageFields,
    @Req() request: FastifyRequest,
  ): Promise<EventMessagePage> {
    return this.idempotency.once(request, caller.id, { again: true }, (id) =>
      this.services.call(CreateEventMessage, { ...fields, eventId, id }),
    );
  }

  @Describe({
    summary: 'Preview a message',
    description: 'Renders the email as its recipients get it, with your name. Stores and sends nothing.',
    answers: { 200: RenderedMessage },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Post('preview')
  @Access('manager')
  preview(@Id() eventId: string, @Fields(MessageText) text: MessageText): Promise<RenderedMessage> {
    return this.services.read(PreviewEventMessage, { ...text, eventId });
  }

  @Describe({
    summary: 'Send yourself a test message',
    description: 'Emails the message only to you. Stores nothing.',
    answers: { 202: Notice },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Post('test')
  @Access('manager')
  @Limited('message-tests')
  async test(@Id() eventId: string, @Fields(MessageText) text: MessageText): Promise<Notice> {
    await this.services.call(TestEventMessage, { ...text, eventId });
    return { message: 'A test email to your address is on its way' };
  }

  @Describe({
    summary: "Get a message to an event's guests",
    description: 'Includes its text and delivery figures.',
    answers: { 200: EventMessagePage },
    refuses: ['EVENT_NOT_FOUND', 'MESSAGE_NOT_FOUND'],
  })
  @Get(':messageId')
  @Access('manager')
  one(@Id() eventId: string, @Id('messageId') messageId: string): Promise<EventMessagePage> {
    return this.services.read(GetEventMessage, { eventId, messageId });
  }

  @Describe({
    summary: "Update a message to an event's guests",
    description:
      'For drafts and scheduled messages. Replaces every field, and sends, schedules or keeps the message as `POST` does. 409 `MESSAGE_SENT` once sending has started.',
    answers: { 200: EventMessagePage },
    refuses: [
      'EVENT_NOT_FOUND',
      'MESSAGE_NOT_FOUND',
      'MESSAGE_SENT',
      'MESSAGE_WITHOUT_RECIPIENTS',
      'MESSAGE_LIMIT',
    ],
  })
  @Put(':messageId')
  @Access('manager')
  @Heavy()
  change(
    @Id() eventId: string,
    @Id('messageId') messageId: string,
    @Fields(MessageFields) fields: MessageFields,
  ): Promise<EventMessagePage> {
    return this.services.call(ChangeEventMessage, { ...fields, eventId, messageId });
  }

  @Describe({
    summary: 'Delete a draft or cancel a message',
    description:
      'A scheduled message stays in the list as `cancelled`. 409 `MESSAGE_SENT` once sending has started.',
    answers: { 204: null },
    refuses: ['EVENT_NOT_FOUND', 'MESSAGE_NOT_FOUND', 'MESSAGE_SENT'],
  })
  @Delete(':messageId')
  @Access('manager')
  cancel(@Id() eventId: string, @Id('messageId') messageId: string): Promise<void> {
    return this.services.call(CancelEventMessage, { eventId, messageId });
  }

  @Describe({
    summary: 'List the recipients of a message',
    description: 'Includes the delivery state of each email. Sorted by name.',
    answers: { 200: describePage(MessageRecipient) },
    refuses: ['EVENT_NOT_FOUND', 'MESSAGE_NOT_FOUND'],
  })
  @Get(':messageId/recipients')
  @Access('manager')
  @Heavy()
  async recipients(
    @Id() eventId: string,
    @Id('messageId') messageId: string,
    @Filter(MessageRecipientFilter) filter: MessageRecipientFilter,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MessageRecipient[]> {
    const page = await this.services.read(ListMessageRecipients, { ...filter, eventId, messageId });
    return answerPage(reply, filter, page);
  }
}
