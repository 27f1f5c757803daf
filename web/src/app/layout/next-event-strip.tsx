import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { hasStarted, nextEventText } from '../../features/events/event';
import { nextEventQuery } from '../../features/events/events.api';
import { layoutText } from '../../strings/common';
import { PauseIcon, PlayIcon } from '../../ui/icons';
import { useFormats } from '../../ui/use-formats';
import { useNow } from '../../ui/use-now';
import styles from './next-event-strip.module.css';

/** The scrolling strip with the next public event; nothing when there is none. */
export function NextEventStrip() {
  const { data: event, refetch } = useQuery(nextEventQuery);
  const formats = useFormats();
  const now = useNow();
  const [paused, setPaused] = useState(false);
  const started = event ? hasStarted(event, now) : false;
  useEffect(() => {
    if (started) void refetch();
  }, [started, refetch]);
  if (!event || started) return null;

  const text = nextEventText(event, {
    date: formats.shortMoment(event.startDate),
    price: formats.price(event.price),
  });
  return (
    <aside className={styles.strip} aria-label={layoutText.upcomingEvent}>
      {/* The style sheet draws the repetition that fills the strip, so a screen reader reads the text once. */}
      <Link
        className={styles.track}
        to={`/events/${event.id}`}
        data-text={text}
        data-paused={paused || undefined}
      >
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
