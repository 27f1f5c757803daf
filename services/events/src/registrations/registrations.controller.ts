import { Controller } from '@nestjs/common';
import {
  AccountDeleted,
  ChangeRegistration,
  CountOfMember,
  GetEventActivity,
  ListAttendees,
  ListFaces,
  ListOwnRegistrations,
  ListRegistrations,
  ListWaitlist,
  PromoteWaiting,
  type PromoteWaitingRequest,
  Register,
  RemoveWaiting,
  SummariseAnswers,
  Unregister,
} from '@meetmark/contracts';
import type {
  ChangeRegistrationRequest,
  EventIdRequest,
  ListAttendeesRequest,
  ListFacesRequest,
  ListRegistrationsRequest,
  Nothing,
  RegisterRequest,
  UserIdRequest,
  WaitingMemberRequest,
} from '@meetmark/contracts';
import { callerId, Handles, identityOf, type Call } from '@meetmark/platform';
import { RegistrationListsService } from './registration-lists.service.js';
import { RegistrationsService } from './registrations.service.js';
import { WaitingListService } from './waiting-list.service.js';

@Controller()
export class RegistrationsController {
  constructor(
    private readonly registrations: RegistrationsService,
    private readonly lists: RegistrationListsService,
    private readonly waitingLists: WaitingListService,
  ) {}

  @Handles(Register)
  register(request: RegisterRequest, call: Call) {
    return this.registrations.register(callerId(call), request);
  }

  @Handles(ChangeRegistration)
  change(request: ChangeRegistrationRequest, call: Call) {
    return this.registrations.change(callerId(call), request);
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

  @Handles(CountOfMember)
  ofMember({ userId }: UserIdRequest, call: Call) {
    return this.lists.ofMember(identityOf(call), userId);
  }

  @Handles(ListAttendees)
  attendees(request: ListAttendeesRequest, { identity }: Call) {
    return this.lists.attendees(request, identity);
  }

  @Handles(ListFaces)
  faces(request: ListFacesRequest, { identity }: Call) {
    return this.lists.faces(request, identity);
  }

  @Handles(ListRegistrations)
  list(request: ListRegistrationsRequest, call: Call) {
    return this.lists.list(identityOf(call), request);
  }

  @Handles(GetEventActivity)
  activity({ eventId }: EventIdRequest, call: Call) {
    return this.lists.activity(identityOf(call), eventId);
  }

  @Handles(SummariseAnswers)
  answers({ eventId }: EventIdRequest, call: Call) {
    return this.lists.answers(identityOf(call), eventId);
  }

  @Handles(ListWaitlist)
  waiting(request: ListRegistrationsRequest, call: Call) {
    return this.lists.waiting(identityOf(call), request);
  }

  @Handles(PromoteWaiting)
  promote(request: PromoteWaitingRequest, call: Call) {
    return this.waitingLists.promote(identityOf(call), request);
  }

  @Handles(RemoveWaiting)
  remove(request: WaitingMemberRequest, call: Call) {
    return this.waitingLists.remove(identityOf(call), request);
  }
}
