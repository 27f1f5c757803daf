import {
  DomainError,
  ERRORS,
  Register,
  type ErrorCode,
  type PlaceOutcome,
  type SessionUser,
  type WantedPlace,
} from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import { Services } from '../services.js';

/** Refusals that the event's state may mean by the second call: the member is signed in, and the answer names the refusal. */
const TOLD: ErrorCode[] = [
  'EVENT_NOT_FOUND',
  'EVENT_FULL',
  'EVENT_CANCELLED',
  'REGISTRATION_CLOSED',
  'REGISTRATION_ENDED',
  'REGISTRATION_NOT_OPEN',
  // its questions were changed
  'VALIDATION_FAILED',
];
const UNCERTAIN: ErrorCode[] = ['SERVICE_UNAVAILABLE', 'SERVICE_OVERLOADED', 'DEADLINE_EXCEEDED'];

/** Registrations that were wanted before their member was known. */
@Injectable()
export class WantedPlaces {
  constructor(private readonly services: Services) {}

  /**
   * Registers in the name of a member whose address was just confirmed; safe to repeat.
   * @param repeatable whether the client can ask again. Then a service that does not answer fails the call. Otherwise the answer names the
   *   refusal, the session begins, and the member can register as usual
   */
  async register(
    member: SessionUser,
    wanted: WantedPlace,
    { repeatable }: { repeatable: boolean },
  ): Promise<PlaceOutcome> {
    const { eventId } = wanted;
    const identity = { sub: member.user.id, isAdmin: false, epoch: member.epoch };
    try {
      const { registration, waiting } = await this.services.read(Register, wanted, { identity });
      return { eventId, registration, waiting };
    } catch (error) {
      const code = error instanceof DomainError ? error.code : 'INTERNAL';
      if (!TOLD.includes(code) && (repeatable || !UNCERTAIN.includes(code))) throw error;
      return { eventId, registration: null, refusal: { code, message: ERRORS[code].message } };
    }
  }
}
