import { Controller } from '@nestjs/common';
import {
  CountRegistrations,
  CreateEvent,
  DeleteEvent,
  GetEvent,
  HandOverEvents,
  ListEventAddresses,
  ListEvents,
  ListMyEvents,
  ListPublicEvents,
  SummariseEvents,
  UpdateEvent,
} from '@meetmark/contracts';
import type {
  CreateEventRequest,
  EventAddressesRequest,
  EventFilter,
  EventIdRequest,
  HandOverEventsRequest,
  MyEventsRequest,
  Nothing,
  UpdateEventRequest,
} from '@meetmark/contracts';
import { callerId, Handles, identityOf, type Call } from '@meetmark/platform';
import { EventEditingService } from './event-editing.service.js';
import { EventsService } from './events.service.js';

@Controller()
export class EventsController {
  constructor(
    private readonly events: EventsService,
    private readonly editing: EventEditingService,
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
    return this.events.list(filter, callerId(call));
  }

  @Handles(ListMyEvents)
  myEvents(request: MyEventsRequest, call: Call) {
    return this.events.myEvents(callerId(call), request);
  }

  @Handles(GetEvent)
  get({ eventId }: EventIdRequest, { identity }: Call) {
    return this.events.get(eventId, identity?.sub ?? null);
  }

  @Handles(CountRegistrations)
  count({ eventId }: EventIdRequest) {
    return this.events.countRegistrations(eventId);
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

  @Handles(HandOverEvents)
  handOver(request: HandOverEventsRequest, call: Call) {
    return this.editing.handOver(identityOf(call), request);
  }

  @Handles(SummariseEvents)
  summarise(_request: Nothing, call: Call) {
    return this.events.summarise(callerId(call));
  }
}
