import type { Event } from '@meetmark/contracts';
import { calendarText } from '@meetmark/i18n/texts/calendar';
import { commonText } from '@meetmark/i18n/texts/common';
import { eventText } from '@meetmark/i18n/texts/events';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useCommunity } from '../../../api/community';
import { eventDays, partOnDay } from '../../../ui/event-days';
import { Badge, CalendarLeaf } from '../../../ui/marks';
import { useFormats } from '../../../ui/use-formats';
import { formatLocation } from './event';
import styles from './event-row.module.css';
import { useDetailsLink } from './use-details-link';
import { useRegistrationState } from './use-registration-state';

interface EventRowProps {
  event: Event;
  day?: { start: Date; end: Date };
  heading?: 'h2' | 'h3';
  children?: ReactNode;
}

export const EventRowSkeletons = ({ count }: { count: number }) => (
  <div role="status" aria-label={commonText.loading}>
    {Array.from({ length: count }, (_, row) => (
      <div key={row} className={styles.row} aria-hidden="true">
        <i className={styles.leafPlace} />
        <span className={styles.wordsPlace} />
      </div>
    ))}
  </div>
);

export function EventRow({ event, day, heading: Heading = 'h3', children }: EventRowProps) {
  const formats = useFormats();
  const community = useCommunity();
  const details = useDetailsLink(event.id);
  const place = formatLocation(event);
  const isRunning = useRegistrationState(event) === 'started';
  const part = day && partOnDay(eventDays(event, community), day);
  return (
    <article className={styles.row}>
      <CalendarLeaf event={event} />
      <div className={styles.words}>
        <Heading className={styles.title} dir="auto">
          <Link {...details}>{event.title}</Link>
        </Heading>
        <p>
          <time dateTime={event.startDate}>{formats.shortSpan(event)}</time>
          {part && part.of > 1 && ` · ${calendarText.dayOf({ day: part.day, of: part.of })}`}
          {place && (
            <span>
              {' · '}
              <bdi>{place}</bdi>
            </span>
          )}
        </p>
      </div>
      {(isRunning || children) && (
        <div className={styles.side}>
          {isRunning && <Badge tone="accent">{eventText.happeningNow}</Badge>}
          {children}
        </div>
      )}
    </article>
  );
}
