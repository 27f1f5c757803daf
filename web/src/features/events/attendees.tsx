import type { Attendee, Event } from '@meetmark/contracts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router-dom';
import { commonText } from '../../strings/common';
import { detailsText } from '../../strings/events';
import { Avatar } from '../../ui/marks';
import { ErrorState, ShowMore } from '../../ui/feedback';
import { LinkedInIcon } from '../../ui/icons';
import { loginPath } from '../auth/return-to';
import { useSession } from '../auth/session';
import styles from './attendees.module.css';
import { attendeesQuery } from './events.api';

/** Who is coming: names for members, the number alone for visitors. */
export function Attendees({ event, heading: Heading }: { event: Event; heading: 'h2' | 'h3' }) {
  const { user } = useSession();
  const { pathname, search } = useLocation();
  return (
    <section className={styles.section} aria-labelledby="attendees-title">
      <Heading id="attendees-title">{detailsText.attendees(event.registrationCount)}</Heading>
      {user ? (
        <AttendeeList event={event} />
      ) : (
        <a className={styles.signIn} href={loginPath(pathname + search)}>
          {detailsText.signInForAttendees}
        </a>
      )}
    </section>
  );
}

function AttendeeList({ event }: { event: Event }) {
  const query = useInfiniteQuery(attendeesQuery(event.id));
  const { data, error, refetch } = query;
  if (error && !data)
    return <ErrorState title={detailsText.attendeesFailed} error={error} retry={() => void refetch()} />;
  if (!data) return <div className={styles.skeleton} role="status" aria-label={commonText.loading} />;
  const attendees = data.pages.flatMap(({ items }) => items);
  // People who are not shown are counted, too.
  const others = query.hasNextPage ? 0 : event.registrationCount - attendees.length;
  if (attendees.length === 0 && others <= 0)
    return (
      <p className={styles.empty}>
        <strong>{detailsText.noAttendees}</strong>
        <span>{detailsText.beFirst}</span>
      </p>
    );
  return (
    <>
      {attendees.length > 0 && (
        <ul className={styles.list}>
          {attendees.map((attendee) => (
            <li key={attendee.id} className={styles.attendee}>
              <AttendeeCard attendee={attendee} />
            </li>
          ))}
        </ul>
      )}
      {others > 0 && (
        <p className={styles.others}>
          {attendees.length > 0 ? detailsText.andOthers(others) : detailsText.others(others)}
        </p>
      )}
      <ShowMore query={query} />
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
