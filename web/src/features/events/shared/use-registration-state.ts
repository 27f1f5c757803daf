import type { Event } from '@meetmark/contracts';
import {
  nextStateChange,
  type RegistrationState,
  registrationStateOf,
} from '@meetmark/contracts/registration-state';
import { eventText } from '@meetmark/contracts/texts/events';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { refreshEvents } from './events.api';

/** A timer of a browser holds no more than 24 days. */
const LONGEST_TIMER = 24 * 3_600_000;
/** Milliseconds for which the server's state stands although this clock says otherwise: one of the two clocks is wrong. */
const DOUBT = 60_000;
/** Milliseconds after a change within which pages ask again, so that not all of them ask at once. */
const REFRESH = { first: 1_000, last: 6_000 };

/**
 * Whether one can register for the event: what the server answered, until the moment at which time changes it. Then the page shows
 * the next state by itself and asks the server again.
 */
export function useRegistrationState(event: Event): RegistrationState {
  const client = useQueryClient();
  const [passed, setPassed] = useState<{ event: Event; state: RegistrationState } | null>(null);
  useEffect(() => {
    const now = Date.now();
    const doubtful = passed?.event !== event && registrationStateOf(event, now) !== event.registrationState;
    const due = doubtful ? now + DOUBT : nextStateChange(event, now);
    if (due === Infinity) return;
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      const left = due - Date.now();
      timer = setTimeout(left > LONGEST_TIMER ? wait : pass, Math.min(left, LONGEST_TIMER));
    };
    const pass = () => {
      setPassed({ event, state: registrationStateOf(event, Math.max(due, Date.now())) });
      refreshSoon(client);
    };
    wait();
    return () => clearTimeout(timer);
  }, [client, event, passed]);
  return passed?.event === event ? passed.state : event.registrationState;
}

const refreshing = new WeakSet<QueryClient>();

/** Refreshes once for all events of a page that change at the same moment. */
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

export const isOver = (state: RegistrationState) => state === 'started' || state === 'ended';

/** What is said on the cover of an event. */
export const COVER_WORDS: Partial<Record<RegistrationState, string>> = {
  waitlist: eventText.fullWithList,
  full: eventText.full,
  cancelled: eventText.cancelled,
};
