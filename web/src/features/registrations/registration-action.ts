import type { ErrorCode, Event } from '@meetmark/contracts';
import type { RegistrationState } from '@meetmark/contracts/events/registration-state';
import { registrationText } from '@meetmark/i18n/texts/events';
import { ApiError, errorCode, serverMessage } from '../../api/client';
import { hasBegun } from '../events/shared/use-registration-state';
import type { Place } from './registrations.api';

type RegistrationAction =
  | 'cancelled'
  | 'ended'
  | 'registered'
  | 'waiting'
  | 'scheduled'
  | 'closed'
  | 'full'
  | 'joinAfterLogin'
  | 'join'
  | 'login'
  | 'register';

interface Circumstances {
  signedIn: boolean;
  place: Place;
}

export function registrationAction(
  state: RegistrationState,
  { signedIn, place }: Circumstances,
): RegistrationAction {
  if (state === 'cancelled') return 'cancelled';
  if (hasBegun(state)) return 'ended';
  if (place) return place === 'registered' ? 'registered' : 'waiting';
  if (state === 'waitlist') return signedIn ? 'join' : 'joinAfterLogin';
  if (state === 'open') return signedIn ? 'register' : 'login';
  // a state that this page doesn't know counts as `ended`
  return state === 'scheduled' || state === 'closed' || state === 'full' ? state : 'ended';
}

type Failure = keyof typeof registrationText.failures;

/** Identifies a failure without a known code by a part of the text that the specification gives it. */
const MESSAGES: [part: string, Failure][] = [
  ['full capacity', 'EVENT_FULL'],
  ['already registered', 'registered'],
  ['not found', 'EVENT_NOT_FOUND'],
];

interface Refusal {
  code?: ErrorCode;
  message: string;
}

export function refusalText({ code, message }: Refusal, event: Pick<Event, 'waitlistEnabled'>) {
  const failure =
    code !== undefined && code in registrationText.failures
      ? (code as Failure)
      : MESSAGES.find(([part]) => message.includes(part))?.[1];
  if (failure === 'EVENT_FULL' && event.waitlistEnabled) return registrationText.fullMeanwhile;
  return failure && registrationText.failures[failure];
}

export function registrationFailure(error: unknown, event: Pick<Event, 'waitlistEnabled'>): string {
  const message = error instanceof ApiError ? error.message : '';
  return (
    refusalText({ code: errorCode(error), message }, event) ?? serverMessage(error) ?? registrationText.failed
  );
}
