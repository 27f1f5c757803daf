import type { ErrorCode } from '@meetmark/contracts';
import type { RegistrationState } from '@meetmark/contracts/registration-state';
import { registrationText } from '@meetmark/contracts/texts/events';
import { errorCode, serverMessage } from '../../api/client';
import { isOver } from '../events/shared/use-registration-state';
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

/** What a card offers; the first that fits. */
export function registrationAction(
  state: RegistrationState,
  { signedIn, place }: Circumstances,
): RegistrationAction {
  if (state === 'cancelled') return 'cancelled';
  if (isOver(state)) return 'ended';
  if (place) return place === 'registered' ? 'registered' : 'waiting';
  if (state === 'waitlist') return signedIn ? 'join' : 'joinAfterLogin';
  if (state === 'open') return signedIn ? 'register' : 'login';
  // `scheduled`, `closed`, `full`; as `ended` for a state that this page does not know
  return state === 'scheduled' || state === 'closed' || state === 'full' ? state : 'ended';
}

/** The member's sentence for a registration that failed. */
export function registrationFailure(
  error: unknown,
  { waitlistEnabled }: { waitlistEnabled: boolean },
): string {
  const code = errorCode(error);
  if (code === 'EVENT_FULL' && waitlistEnabled) return registrationText.fullMeanwhile;
  return (
    (code && (registrationText.failures as Partial<Record<ErrorCode, string>>)[code]) ??
    serverMessage(error) ??
    registrationText.failed
  );
}
