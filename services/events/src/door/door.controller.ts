import { Controller } from '@nestjs/common';
import {
  CheckIn,
  CheckInSelf,
  CreateDoorLink,
  FindVenue,
  GetDoor,
  GetDoorSnapshot,
  GetOwnCode,
  RevokeDoorLink,
  WalkIn,
} from '@meetmark/contracts';
import type {
  CheckInRequest,
  DoorLinkRequest,
  DoorRequest,
  EventIdRequest,
  FindVenueRequest,
  SelfCheckInRequest,
  WalkInRequest,
} from '@meetmark/contracts';
import { callerId, Handles, identityOf, type Call } from '@meetmark/platform';
import { DoorService } from './door.service.js';

@Controller()
export class DoorController {
  constructor(private readonly door: DoorService) {}

  @Handles(GetDoor)
  get({ eventId }: EventIdRequest, call: Call) {
    return this.door.get(identityOf(call), eventId);
  }

  @Handles(CreateDoorLink)
  createLink({ eventId }: EventIdRequest, call: Call) {
    return this.door.createLink(identityOf(call), eventId);
  }

  @Handles(RevokeDoorLink)
  revokeLink(request: DoorLinkRequest, call: Call) {
    return this.door.revokeLink(identityOf(call), request);
  }

  @Handles(GetDoorSnapshot)
  snapshot({ token }: DoorRequest) {
    return this.door.snapshot(token);
  }

  @Handles(CheckIn)
  checkIn(request: CheckInRequest) {
    return this.door.checkIn(request);
  }

  @Handles(WalkIn)
  walkIn(request: WalkInRequest) {
    return this.door.walkIn(request);
  }

  @Handles(GetOwnCode)
  ownCode({ eventId }: EventIdRequest, call: Call) {
    return this.door.ownCode(callerId(call), eventId);
  }

  @Handles(FindVenue)
  findVenue({ code }: FindVenueRequest) {
    return this.door.findVenue(code);
  }

  @Handles(CheckInSelf)
  checkInSelf(request: SelfCheckInRequest, call: Call) {
    return this.door.checkInSelf(callerId(call), request);
  }
}
