import {
  CancelEventMessage,
  ChangeEventMessage,
  CreateEventMessage,
  FindGuestMessages,
  GetEventMessage,
  GetMessageAudience,
  ListEventMessages,
  ListMessageRecipients,
  PreviewEventMessage,
  SetGuestMessages,
  TestEventMessage,
} from '@meetmark/contracts';
import type {
  ChangeEventMessageRequest,
  CreateEventMessageRequest,
  EventIdRequest,
  EventMessageRequest,
  EventMessageTextRequest,
  GuestMessagesRequest,
  ListEventMessagesRequest,
  ListMessageRecipientsRequest,
  SetGuestMessagesRequest,
} from '@meetmark/contracts';
import { Handles, identityOf, type Call } from '@meetmark/platform';
import { Controller } from '@nestjs/common';
import { MessagesService } from './messages.service.js';

@Controller()
export class MessagesController {
  constructor(private readonly messages: MessagesService) {}

  @Handles(ListEventMessages)
  list(request: ListEventMessagesRequest, call: Call) {
    return this.messages.list(identityOf(call), request);
  }

  @Handles(GetEventMessage)
  get(request: EventMessageRequest, call: Call) {
    return this.messages.get(identityOf(call), request);
  }

  @Handles(ListMessageRecipients)
  recipients(request: ListMessageRecipientsRequest, call: Call) {
    return this.messages.recipients(identityOf(call), request);
  }

  @Handles(GetMessageAudience)
  audience(request: EventIdRequest, call: Call) {
    return this.messages.audience(identityOf(call), request);
  }

  @Handles(CreateEventMessage)
  create(request: CreateEventMessageRequest, call: Call) {
    return this.messages.create(identityOf(call), request);
  }

  @Handles(ChangeEventMessage)
  change(request: ChangeEventMessageRequest, call: Call) {
    return this.messages.change(identityOf(call), request);
  }

  @Handles(CancelEventMessage)
  cancel(request: EventMessageRequest, call: Call) {
    return this.messages.cancel(identityOf(call), request);
  }

  @Handles(PreviewEventMessage)
  preview(request: EventMessageTextRequest, call: Call) {
    return this.messages.preview(identityOf(call), request);
  }

  @Handles(TestEventMessage)
  test(request: EventMessageTextRequest, call: Call) {
    return this.messages.test(identityOf(call), request);
  }

  @Handles(FindGuestMessages)
  findGuest(request: GuestMessagesRequest) {
    return this.messages.findGuest(request);
  }

  @Handles(SetGuestMessages)
  setGuest(request: SetGuestMessagesRequest) {
    return this.messages.setGuest(request);
  }
}
