import type { Attendee, Event } from '@meetmark/contracts';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { commonText } from '../../strings/common';
import { detailsText } from '../../strings/events';
import { Avatar } from '../../ui/avatar';
import { ErrorState } from '../../ui/error-state';
import { LinkedInIcon } from '../../ui/icons';
import { loginPath } from '../auth/return-to';
import { useSession } from '../auth/session';
import styles from './attendees.module.css';
import { attendeesQuery } from './events.api';

/** Who is coming: names for members, the number alone for visitors (D26). */
export function Attendees({ event, heading: Heading }: { event: Event; heading: 'h2' | 'h3' }) {
  const { user } = useSession();
  const { pathname, search } = useLocation();
  return (
    <section className={styles.section} aria-labelledby="attendees-title">
      <Heading id="attendees-title">{detailsText.attendees(event.registrationCount)}</Heading>
      {user ? (
        <AttendeeList eventId={event.id} />
      ) : (
        <a className={styles.signIn} href={loginPath(pathname + search)}>
          {detailsText.signInForAttendees}
        </a>
      )}
    </section>
  );
}

/** Faces shown before the rest is asked for. */
const SHOWN_AT_FIRST = 24;

function AttendeeList({ eventId }: { eventId: string }) {
  const [all, setAll] = useState(false);
  const { data: attendees, error, refetch } = useQuery(attendeesQuery(eventId));
  if (error && !attendees)
    return <ErrorState title={detailsText.attendeesFailed} error={error} retry={() => void refetch()} />;
  if (!attendees) return <div className={styles.skeleton} role="status" aria-label={commonText.loading} />;
  if (attendees.length === 0)
    return (
      <p className={styles.empty}>
        <strong>{detailsText.noAttendees}</strong>
        <span>{detailsText.beFirst}</span>
      </p>
    );
  const shown = all ? attendees : attendees.slice(0, SHOWN_AT_FIRST);
  return (
    <>
      <ul className={styles.list}>
        {shown.map((attendee) => (
          <li key={attendee.id} className={styles.attendee}>
            <AttendeeCard attendee={attendee} />
          </li>
        ))}
      </ul>
      {shown.length < attendees.length && (
        <div>
          <Button onClick={() => setAll(true)}>{detailsText.allAttendees(attendees.length)}</Button>
        </div>
      )}
    </>
  );
}

function AttendeeCard({ attendee }: { attendee: Attendee }) {
  const name = `${attendee.firstName} ${attendee.lastName}`;
  return (
    <>
      <Avatar person={attendee} size={40} />
      <span className={styles.name} dir="auto">
        {name}
      </span>
      {attendee.linkedInUrl && (
        <a
          href={attendee.linkedInUrl}
          target="_blank"
          rel="noopener noreferrer nofollow"
          aria-label={detailsText.linkedInOf(name)}
          className={styles.linkedIn}
        >
          <LinkedInIcon />
        </a>
      )}
    </>
  );
}
