import type { EventPage } from '@meetmark/contracts';
import { anEventPage } from '@meetmark/testing/factories/samples';

export { aUser } from '@meetmark/testing/factories/samples';

/** The same event each time. */
export const anEvent = (given: Partial<EventPage> = {}): EventPage =>
  anEventPage({ id: '0190b000-0000-7000-8000-000000000001', ...given });
