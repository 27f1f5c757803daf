import { Controller } from '@nestjs/common';
import {
  AnswerEventRole,
  CancelEvent,
  ChangeEventSlug,
  CountRegistrations,
  CreateEvent,
  CreateEventPreview,
  DeleteEvent,
  GetEvent,
  GetEventPreview,
  ListEventAddresses,
  ListEventRoles,
  ListEvents,
  ListMyEvents,
  ListPublicEvents,
  type EventMemberSearch,
  FindEvent,
  FindMembers,
  FindMembersForEvent,
  ListVenues,
  type MemberSearch,
  MakeSeries,
  MayManage,
  PublishEvent,
  RevokeEventPreview,
  SummariseEvents,
  UpdateEvent,
} from '@meetmark/contracts';
import type {
  CancelEventRequest,
  ChangeEventSlugRequest,
  CreateEventRequest,
  EventAddressesRequest,
  EventFilter,
  EventIdRequest,
  EventPreviewRequest,
  EventRoleRequest,
  FindEventRequest,
  MakeSeriesRequest,
  MyEventsRequest,
  Nothing,
  PublishEventRequest,
  UpdateEventRequest,
  VenueFilter,
} from '@meetmark/contracts';
import { callerId, Handles, identityOf, type Call } from '@meetmark/platform';
import { EventEditingService } from './event-editing.service.js';
import { EventLifeService } from './event-life.service.js';
import { EventsService } from './events.service.js';

@Controller()
export class EventsController {
  constructor(
    private readonly events: EventsService,
    private readonly editing: EventEditingService,
    private readonly life: EventLifeService,
  ) {}

  @Handles(ListPublicEvents)
  listPublic(filter: EventFilter) {
    return this.events.list(filter, null);
  }

  @Handles(ListEventAddresses)
  listAddresses({ page }: EventAddressesRequest) {
    return this.events.listAddresses(page);
  }

  @Handles(ListEvents)
  list(filter: EventFilter, call: Call) {
    return this.events.list(filter, identityOf(call));
  }

  @Handles(ListMyEvents)
  myEvents(request: MyEventsRequest, call: Call) {
    return this.events.myEvents(callerId(call), request);
  }

  @Handles(FindEvent)
  find({ slug }: FindEventRequest) {
    return this.events.find(slug);
  }

  @Handles(GetEvent)
  get({ eventId }: EventIdRequest, { identity }: Call) {
    return this.events.get(eventId, identity);
  }

  @Handles(CountRegistrations)
  count({ eventId }: EventIdRequest, { identity }: Call) {
    return this.events.countRegistrations(eventId, identity);
  }

  @Handles(CreateEvent)
  create(request: CreateEventRequest, call: Call) {
    return this.editing.create(identityOf(call), request);
  }

  @Handles(UpdateEvent)
  update(request: UpdateEventRequest, call: Call) {
    return this.editing.update(identityOf(call), request);
  }

  @Handles(DeleteEvent)
  delete({ eventId }: EventIdRequest, call: Call) {
    return this.editing.delete(identityOf(call), eventId);
  }

  @Handles(PublishEvent)
  publish(request: PublishEventRequest, call: Call) {
    return this.life.publish(identityOf(call), request);
  }

  @Handles(ChangeEventSlug)
  changeSlug(request: ChangeEventSlugRequest, call: Call) {
    return this.life.changeSlug(identityOf(call), request);
  }

  @Handles(CancelEvent)
  cancel(request: CancelEventRequest, call: Call) {
    return this.life.cancel(identityOf(call), request);
  }

  @Handles(MakeSeries)
  makeSeries(request: MakeSeriesRequest, call: Call) {
    return this.editing.makeSeries(identityOf(call), request);
  }

  @Handles(CreateEventPreview)
  makePreview({ eventId }: EventIdRequest, call: Call) {
    return this.life.makePreview(identityOf(call), eventId);
  }

  @Handles(RevokeEventPreview)
  revokePreview({ eventId }: EventIdRequest, call: Call) {
    return this.life.revokePreview(identityOf(call), eventId);
  }

  @Handles(GetEventPreview)
  preview({ token }: EventPreviewRequest) {
    return this.life.preview(token);
  }

  /** The guard has found that they do. */
  @Handles(MayManage)
  mayManage(_request: EventIdRequest): void {}

  @Handles(ListVenues)
  venues(filter: VenueFilter) {
    return this.events.venues(filter);
  }

  @Handles(FindMembers)
  findMembers({ q }: MemberSearch) {
    return this.events.findMembers(q);
  }

  /** The guard has found that the caller manages the event. */
  @Handles(FindMembersForEvent)
  findMembersForEvent({ q }: EventMemberSearch) {
    return this.events.findMembers(q);
  }

  @Handles(ListEventRoles)
  roles(_request: Nothing, call: Call) {
    return this.events.roles(callerId(call));
  }

  @Handles(AnswerEventRole)
  answerRole(request: EventRoleRequest, call: Call) {
    return this.events.answerRole(callerId(call), request);
  }

  @Handles(SummariseEvents)
  summarise(_request: Nothing, call: Call) {
    return this.events.summarise(identityOf(call));
  }
}
