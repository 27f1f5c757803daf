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
import { Access, Limited } from '../http/access.js';
import { answerPage, Fields, Filter, Id } from '../http/fields.js';
import { Caller } from '../http/request.js';
import { Idempotency } from '../idempotency/idempotency.js';
import { Notice } from '../openapi/answers.js';
import { Describe, pageOf } from '../openapi/describe.js';
import { Services } from '../services.js';
import {
  EventMessage,
  EventMessagePage,
  MessageAudience,
  MessageRecipient,
  RenderedMessage,
} from './messages.dto.js';

/** What organisers write to the people of an event. */
@Controller('api/admin/events/:id/messages')
export class MessagesController {
  constructor(
    private readonly services: Services,
    private readonly idempotency: Idempotency,
  ) {}

  @Describe({
    summary: 'What was written to the people of an event, the latest first',
    answers: { 200: pageOf(EventMessage) },
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
    summary: 'How many people are in each group now',
    answers: { 200: MessageAudience },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Get('audience')
  @Access('manager')
  audience(@Id() eventId: string): Promise<MessageAudience> {
    return this.services.read(GetMessageAudience, { eventId });
  }

  @Describe({
    summary: 'Send a message at once, or at `sendAt`, or keep it as a `draft`',
    answers: { 201: EventMessagePage },
    refuses: ['EVENT_NOT_FOUND', 'MESSAGE_WITHOUT_RECIPIENTS', 'MESSAGE_LIMIT', 'REQUEST_IN_PROGRESS'],
    idempotent: true,
  })
  @Post()
  @Access('manager')
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
    summary: 'A message as its recipients get it, under the name of the caller; nothing is kept',
    answers: { 200: RenderedMessage },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Post('preview')
  @Access('manager')
  preview(@Id() eventId: string, @Fields(MessageText) text: MessageText): Promise<RenderedMessage> {
    return this.services.read(PreviewEventMessage, { ...text, eventId });
  }

  @Describe({
    summary: 'Mail a message to the caller alone; nothing is kept',
    answers: { 202: Notice },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Post('test')
  @Access('manager')
  @Limited('message-tests')
  async test(@Id() eventId: string, @Fields(MessageText) text: MessageText): Promise<Notice> {
    await this.services.call(TestEventMessage, { ...text, eventId });
    return { message: 'A test to your own address is on its way' };
  }

  @Describe({
    summary: 'One message, with what became of it',
    answers: { 200: EventMessagePage },
    refuses: ['EVENT_NOT_FOUND', 'MESSAGE_NOT_FOUND'],
  })
  @Get(':messageId')
  @Access('manager')
  one(@Id() eventId: string, @Id('messageId') messageId: string): Promise<EventMessagePage> {
    return this.services.read(GetEventMessage, { eventId, messageId });
  }

  @Describe({
    summary:
      'Change a draft, or a message that is not being sent yet; as for a new one it is then sent at once, later or not',
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
  change(
    @Id() eventId: string,
    @Id('messageId') messageId: string,
    @Fields(MessageFields) fields: MessageFields,
  ): Promise<EventMessagePage> {
    return this.services.call(ChangeEventMessage, { ...fields, eventId, messageId });
  }

  @Describe({
    summary: 'Remove a draft, or cancel a message that is not being sent yet',
    answers: { 204: null },
    refuses: ['EVENT_NOT_FOUND', 'MESSAGE_NOT_FOUND', 'MESSAGE_SENT'],
  })
  @Delete(':messageId')
  @Access('manager')
  cancel(@Id() eventId: string, @Id('messageId') messageId: string): Promise<void> {
    return this.services.call(CancelEventMessage, { eventId, messageId });
  }

  @Describe({
    summary: 'Who gets a message and what became of each mail, by name',
    answers: { 200: pageOf(MessageRecipient) },
    refuses: ['EVENT_NOT_FOUND', 'MESSAGE_NOT_FOUND'],
  })
  @Get(':messageId/recipients')
  @Access('manager')
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
