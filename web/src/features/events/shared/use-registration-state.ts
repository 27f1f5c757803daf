import type { Event } from '@meetmark/contracts';
import {
  nextStateChange,
  type RegistrationState,
  getRegistrationState,
} from '@meetmark/contracts/events/registration-state';
import { eventText } from '@meetmark/i18n/texts/events';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { refreshEvents } from './events.api';

/** Longest timer in milliseconds: one day, because browsers allow at most about 24 days. */
const LONGEST_TIMER = 24 * 3_600_000;
/** Milliseconds to show the server's state when it contradicts the browser's clock. */
const DOUBT = 60_000;
/** Range in milliseconds of the random delay before a refetch. Browsers shouldn't all refetch at once. */
const REFRESH = { first: 1_000, last: 6_000 };

export function useRegistrationState(event: Event): RegistrationState {
  const client = useQueryClient();
  const [passed, setPassed] = useState<{ event: Event; state: RegistrationState } | null>(null);
  useEffect(() => {
    const now = Date.now();
    const doubtful = passed?.event !== event && getRegistrationState(event, now) !== event.registrationState;
    const due = doubtful ? now + DOUBT : nextStateChange(event, now);
    if (due === Infinity) return;
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      const left = due - Date.now();
      timer = setTimeout(left > LONGEST_TIMER ? wait : pass, Math.min(left, LONGEST_TIMER));
    };
    const pass = () => {
      setPassed({ event, state: getRegistrationState(event, Math.max(due, Date.now())) });
      refreshSoon(client);
    };
    wait();
    return () => clearTimeout(timer);
  }, [client, event, passed]);
  return passed?.event === event ? passed.state : event.registrationState;
}

const refreshing = new WeakSet<QueryClient>();

function refreshSoon(client: QueryClient): void {
  if (refreshing.has(client)) return;
  refreshing.add(client);
  setTimeout(
    () => {
      refreshing.delete(client);
      void refreshEvents(client);
    },
    REFRESH.first + Math.random() * (REFRESH.last - REFRESH.first),
  );
}

export const hasBegun = (state: RegistrationState) => state === 'started' || state === 'ended';

export const COVER_WORDS: Partial<Record<RegistrationState, string>> = {
  waitlist: eventText.fullWithList,
  full: eventText.full,
  cancelled: eventText.cancelled,
};
