import type { Event } from '@meetmark/contracts';
import { hasStarted, isFull } from './event-status';

export type RegistrationAction = 'ended' | 'login' | 'registered' | 'full' | 'register';

interface Circumstances {
  signedIn: boolean;
  registered: boolean;
  now: number;
}

/** What a card offers; the first that fits (section 4 of the specification). */
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
