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

/** Errors that are returned as `refusal` and don't prevent the sign-in. */
const TOLD: ErrorCode[] = [
  'EVENT_NOT_FOUND',
  'EVENT_FULL',
  'EVENT_CANCELLED',
  'REGISTRATION_CLOSED',
  'REGISTRATION_ENDED',
  'REGISTRATION_NOT_OPEN',
  'VALIDATION_FAILED',
];
const UNCERTAIN: ErrorCode[] = ['SERVICE_UNAVAILABLE', 'SERVICE_OVERLOADED', 'DEADLINE_EXCEEDED'];

@Injectable()
export class WantedPlaces {
  constructor(private readonly services: Services) {}

  /** @param repeatable whether the client can retry. If so, throws an error if a service is unavailable. */
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
