import { Controller } from '@nestjs/common';
import {
  AccountDeleted,
  ListAttendees,
  ListOwnRegistrations,
  ListRegistrations,
  Register,
  Unregister,
} from '@meetmark/contracts';
import type {
  EventIdRequest,
  ListAttendeesRequest,
  ListRegistrationsRequest,
  Nothing,
  RegisterRequest,
} from '@meetmark/contracts';
import { callerId, Handles, identityOf, type Call } from '@meetmark/platform';
import { RegistrationListsService } from './registration-lists.service.js';
import { RegistrationsService } from './registrations.service.js';

@Controller()
export class RegistrationsController {
  constructor(
    private readonly registrations: RegistrationsService,
    private readonly lists: RegistrationListsService,
  ) {}

  @Handles(Register)
  register(request: RegisterRequest, call: Call) {
    return this.registrations.register(callerId(call), request);
  }

  @Handles(Unregister)
  unregister({ eventId }: EventIdRequest, call: Call) {
    return this.registrations.unregister(callerId(call), eventId);
  }

  @Handles(AccountDeleted)
  accountDeleted() {
    return this.registrations.accountDeleted();
  }

  @Handles(ListOwnRegistrations)
  own(_request: Nothing, call: Call) {
    return this.lists.own(callerId(call));
  }

  @Handles(ListAttendees)
  attendees(request: ListAttendeesRequest, { identity }: Call) {
    return this.lists.attendees(request, identity);
  }

  @Handles(ListRegistrations)
  list(request: ListRegistrationsRequest, call: Call) {
    return this.lists.list(identityOf(call), request);
  }
}
