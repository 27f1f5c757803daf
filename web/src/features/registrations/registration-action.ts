import type { Event } from '@meetmark/contracts';
import { errorCode, serverMessage } from '../../api/client';
import { registrationText } from '../../strings/events';
import { hasStarted, isFull } from '../events/event';

type RegistrationAction = 'ended' | 'login' | 'registered' | 'full' | 'register';

interface Circumstances {
  signedIn: boolean;
  registered: boolean;
  now: number;
}

/** What a card offers; the first that fits. */
export function registrationAction(
  event: Pick<Event, 'startDate' | 'capacity' | 'registrationCount'>,
  { signedIn, registered, now }: Circumstances,
): RegistrationAction {
  if (hasStarted(event, now)) return 'ended';
  if (!signedIn) return 'login';
  if (registered) return 'registered';
  if (isFull(event)) return 'full';
  return 'register';
}

/** The member's sentence for a registration that failed. */
export function registrationFailure(error: unknown): string {
  const code = errorCode(error);
  return (code && registrationText.failures[code]) ?? serverMessage(error) ?? registrationText.failed;
}
