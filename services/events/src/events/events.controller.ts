import { Controller } from '@nestjs/common';
import {
  CountRegistrations,
  CreateEvent,
  DeleteEvent,
  GetEvent,
  HandOverEvents,
  ListEventAddresses,
  ListEvents,
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
  Nothing,
  UpdateEventRequest,
} from '@meetmark/contracts';
import { Handles, type Call } from '@meetmark/platform';
import { callerId } from '../caller.js';
import { EventDeletionService } from './event-deletion.service.js';
import { EventEditingService } from './event-editing.service.js';
import { EventsService } from './events.service.js';

@Controller()
export class EventsController {
  constructor(
    private readonly events: EventsService,
    private readonly editing: EventEditingService,
    private readonly deletion: EventDeletionService,
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
    return this.editing.create(callerId(call), request);
  }

  @Handles(UpdateEvent)
  update(request: UpdateEventRequest, call: Call) {
    return this.editing.update(callerId(call), request);
  }

  @Handles(DeleteEvent)
  delete({ eventId }: EventIdRequest, call: Call) {
    return this.deletion.delete(callerId(call), eventId);
  }

  @Handles(HandOverEvents)
  handOver(request: HandOverEventsRequest, call: Call) {
    return this.editing.handOver(callerId(call), request);
  }

  @Handles(SummariseEvents)
  summarise(_request: Nothing, call: Call) {
    return this.events.summarise(callerId(call));
  }
}
