import { Controller } from '@nestjs/common';
import { AddGuest, ChangeGuest, ListGuests, PlaceGuest, RemoveGuest } from '@meetmark/contracts';
import type {
  AddGuestRequest,
  ChangeGuestRequest,
  ListGuestsRequest,
  PlaceGuestRequest,
  RemoveGuestRequest,
} from '@meetmark/contracts';
import { Handles, identityOf, type Call } from '@meetmark/platform';
import { GuestsService } from './guests.service.js';

@Controller()
export class GuestsController {
  constructor(private readonly guests: GuestsService) {}

  @Handles(ListGuests)
  list(request: ListGuestsRequest, call: Call) {
    return this.guests.list(identityOf(call), request);
  }

  @Handles(AddGuest)
  add(request: AddGuestRequest, call: Call) {
    return this.guests.add(identityOf(call), request);
  }

  @Handles(ChangeGuest)
  change(request: ChangeGuestRequest, call: Call) {
    return this.guests.edit(identityOf(call), request);
  }

  @Handles(PlaceGuest)
  place(request: PlaceGuestRequest, call: Call) {
    return this.guests.place(identityOf(call), request);
  }

  @Handles(RemoveGuest)
  remove(request: RemoveGuestRequest, call: Call) {
    return this.guests.remove(identityOf(call), request);
  }
}
