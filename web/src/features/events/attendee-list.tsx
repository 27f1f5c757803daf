import type { Attendee, Event } from '@meetmark/contracts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useId, useState } from 'react';
import { commonText } from '../../strings/common';
import { detailsText } from '../../strings/event-page';
import { ErrorState, ShowMore } from '../../ui/feedback';
import { LinkedInIcon } from '../../ui/icons';
import { Avatar } from '../../ui/marks';
import styles from './attendees.module.css';
import { attendeesQuery } from './events.api';

/** As many as are shown with their names at once; more are faces at first. */
const NAMED = 6;
const FACES = 12;

/** Those who come and agreed to be shown. */
export default function AttendeeList({ event, over }: { event: Event; over: boolean }) {
  const query = useInfiniteQuery(attendeesQuery(event.id));
  const [unfolded, setUnfolded] = useState(false);
  const listId = useId();
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
  const folds = attendees.length > NAMED;
  return (
    <>
      {folds && (
        <>
          <div className={styles.faces} aria-hidden="true">
            {attendees.slice(0, FACES).map((attendee) => (
              <Avatar key={attendee.id} person={attendee} size={36} />
            ))}
          </div>
          <div className={styles.summary}>
            <p dir="auto">
              {detailsText.namesAndOthers(
                attendees
                  .slice(0, 2)
                  .map(({ firstName, lastName }) => `${firstName} ${lastName}`)
                  .join(', '),
                Math.max(event.registrationCount, attendees.length) - 2,
              )}
            </p>
            <Button
              type="link"
              className={styles.fold}
              aria-expanded={unfolded}
              aria-controls={unfolded ? listId : undefined}
              onClick={() => setUnfolded(!unfolded)}
            >
              {unfolded ? detailsText.hideNames : detailsText.showNames}
            </Button>
          </div>
        </>
      )}
      {attendees.length > 0 && (!folds || unfolded) && (
        <ul id={listId} className={styles.list}>
          {attendees.map((attendee) => (
            <li key={attendee.id} className={styles.attendee}>
              <AttendeeCard attendee={attendee} />
            </li>
          ))}
        </ul>
      )}
      {others > 0 && (!folds || unfolded) && (
        <p className={styles.others}>
          {attendees.length > 0
            ? detailsText.andOthers(others)
            : (over ? detailsText.othersPast : detailsText.others)(others)}
        </p>
      )}
      {(!folds || unfolded) && <ShowMore query={query} />}
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
