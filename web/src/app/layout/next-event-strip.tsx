import type { Event } from '@meetmark/contracts';
import { eventPath } from '@meetmark/contracts/events/event-path';
import type { RegistrationState } from '@meetmark/contracts/events/registration-state';
import { layoutText } from '@meetmark/i18n/texts/common';
import { registrationText } from '@meetmark/i18n/texts/events';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { nextEventText } from '../../features/events/shared/event';
import { nextEventQuery } from '../../features/events/shared/events.api';
import { hasBegun, useRegistrationState } from '../../features/events/shared/use-registration-state';
import { PauseIcon, PlayIcon } from '../../ui/icons';
import { useFormats } from '../../ui/use-formats';
import styles from './next-event-strip.module.css';

export function NextEventStrip() {
  const { data: event } = useQuery(nextEventQuery);
  return event ? <Strip key={event.id} event={event} /> : null;
}

function Strip({ event }: { event: Event }) {
  const formats = useFormats();
  const state = useRegistrationState(event);
  const [paused, setPaused] = useState(false);
  const gone = hasBegun(state) || state === 'cancelled';
  const client = useQueryClient();
  useEffect(() => {
    if (gone) void client.invalidateQueries(nextEventQuery);
  }, [gone, client]);
  if (gone) return null;

  const text = nextEventText(event, {
    date: formats.eventStart(event),
    price: formats.price(event.price),
    end: getStatusText(event, state, (moment) => formats.eventMoment(event, moment)),
  });
  return (
    <aside className={styles.strip} aria-label={layoutText.upcomingEvent}>
      {/* The style sheet adds a second copy of the text. In the HTML, screen readers would read it twice. */}
      <Link className={styles.track} to={eventPath(event)} data-text={text} data-paused={paused || undefined}>
        <span>{text}</span>
      </Link>
      <button
        type="button"
        className={styles.pause}
        onClick={() => setPaused(!paused)}
        aria-label={paused ? layoutText.playBanner : layoutText.pauseBanner}
      >
        {paused ? <PlayIcon /> : <PauseIcon />}
      </button>
    </aside>
  );
}

function getStatusText(event: Event, state: RegistrationState, write: (moment: string) => string): string {
  if (event.registrations.some(({ status }) => status === 'registered')) return layoutText.youAreGoing;
  if (state === 'waitlist' || state === 'full') return layoutText.fullyBooked;
  if (state === 'closed') return registrationText.closed;
  if (state === 'scheduled')
    return registrationText.opens({ moment: write(event.registrationOpensAt ?? event.startDate) });
  return layoutText.registerNow;
}
