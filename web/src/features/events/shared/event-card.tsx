import type { Event, EventFaces } from '@meetmark/contracts';
import { eventPath } from '@meetmark/contracts/events/event-path';
import { browseText, eventText } from '@meetmark/i18n/texts/events';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { ClockIcon, PeopleIcon, PinIcon } from '../../../ui/icons';
import { Avatar, Badge, CalendarLeaf } from '../../../ui/marks';
import { isFree } from '../../../ui/price';
import { useFormats } from '../../../ui/use-formats';
import { EventBanner } from './event-banner';
import { formatLocation } from './event';
import styles from './event-card.module.css';
import { toPlainDescription } from './plain-description';
import { COVER_WORDS, useRegistrationState } from './use-registration-state';
import { useDetailsLink } from './use-details-link';

interface EventCardProps {
  event: Event;
  faces?: EventFaces['faces'];
  heading: 'h2' | 'h3' | 'h4';
  badge?: ReactNode;
  note?: ReactNode;
  action: ReactNode;
}

export function EventCard({ event, faces = [], heading: Heading, badge, note, action }: EventCardProps) {
  const formats = useFormats();
  const details = useDetailsLink(event.id);
  const place = formatLocation(event);
  const state = useRegistrationState(event);
  // a badge already shows the member's own state, so the cover doesn't mention the waiting list
  const cover = badge && state === 'waitlist' ? undefined : COVER_WORDS[state];
  return (
    <article className={styles.card}>
      <div className={styles.picture} data-muted={state === 'cancelled'}>
        <EventBanner event={event} />
        <CalendarLeaf event={event} className={styles.leaf} />
        {cover && <span className={styles.cover}>{cover}</span>}
        <span className={styles.badges}>
          {badge}
          {state === 'started' && <Badge tone="accent">{eventText.happeningNow}</Badge>}
          <span className={styles.price} data-free={isFree(event.price) || undefined}>
            {formats.price(event.price)}
          </span>
        </span>
      </div>
      <div className={styles.body}>
        <Heading className={styles.title} dir="auto">
          <Link to={eventPath(event)}>{event.title}</Link>
        </Heading>
        <ul className={styles.facts}>
          <li>
            <ClockIcon size={18} />
            <time dateTime={event.startDate}>{formats.shortSpan(event)}</time>
          </li>
          {place && (
            <li>
              <PinIcon size={18} />
              <span className={styles.place} dir="auto">
                {place}
              </span>
            </li>
          )}
          <li>
            <PeopleIcon size={18} />
            <Places event={event} />
            {faces.length > 0 && (
              <span className={styles.faces} aria-hidden="true">
                {faces.map((face) => (
                  <Avatar key={face.id} person={face} size={FACE} />
                ))}
              </span>
            )}
          </li>
        </ul>
        {event.description && (
          <p className={styles.description} dir="auto">
            {toPlainDescription(event.description, event.descriptionFormat)}
          </p>
        )}
        {event.topics.length > 0 && (
          <p className={styles.topics} dir="auto">
            {event.topics.map(({ name }) => name).join(' · ')}
          </p>
        )}
        {note}
        <div className={styles.actions}>
          <Link
            {...details}
            className={styles.details}
            aria-label={eventText.viewDetailsOf({ title: event.title })}
          >
            {eventText.viewDetails}
          </Link>
          {action}
        </div>
      </div>
    </article>
  );
}

const FACE = 24;

const NEARLY_FULL = 0.7;

function Places({ event: { registrationCount, capacity } }: { event: Event }) {
  if (capacity === null)
    return (
      <span>
        {registrationCount === 0 ? eventText.noneGoing : eventText.going({ registered: registrationCount })}
      </span>
    );
  return (
    <span className={styles.places}>
      <span>{eventText.places({ registered: registrationCount, capacity })}</span>
      {registrationCount / capacity >= NEARLY_FULL && (
        <span className={styles.meter} aria-hidden="true">
          <i style={{ width: `${Math.min(100, (registrationCount / capacity) * 100)}%` }} />
        </span>
      )}
    </span>
  );
}

export function EventGrid({ children }: { children: ReactNode }) {
  return <ul className={styles.grid}>{children}</ul>;
}

export const EventGridSkeleton = () => (
  <div role="status" aria-label={browseText.loading}>
    <CardSkeletons />
  </div>
);

const PLACES = 6;

/** @param cover replaces the first card's placeholder image, as in the first paint (app/first-paint.tsx) */
export const CardSkeletons = ({ cover }: { cover?: ReactNode }) => (
  <div className={styles.grid} aria-hidden="true">
    {Array.from({ length: PLACES }, (_, place) => (
      <div key={place} className={styles.skeleton}>
        {place === 0 && cover ? cover : <div className={styles.skeletonPicture} />}
        <div className={styles.lines}>
          <i />
          <i />
          <i />
          <i />
        </div>
        <i className={styles.skeletonAction} />
      </div>
    ))}
  </div>
);
