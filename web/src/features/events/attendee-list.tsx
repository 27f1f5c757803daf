import type { Attendee, Event } from '@meetmark/contracts';
import { commonText } from '@meetmark/contracts/texts/common';
import { detailsText } from '@meetmark/contracts/texts/event-page';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useId, useState } from 'react';
import { ErrorState, ShowMore } from '../../ui/feedback';
import { LinkedInIcon } from '../../ui/icons';
import { Avatar } from '../../ui/marks';
import { HelpButton } from '../help/help-button';
import styles from './attendees.module.css';
import { attendeesQuery } from './shared/events.api';
import { useRegistrationState } from './shared/use-registration-state';

/** How many people are shown with their names at once; faces stand for the next. */
const NAMED = 6;
const FACES = 12;

/** Those who come and agreed to be shown; visitors learn that there are none. */
export default function AttendeeList({ event, over }: { event: Event; over: boolean }) {
  return event.registrationCount === 0 ? <NoAttendees event={event} /> : <Named event={event} over={over} />;
}

function NoAttendees({ event }: { event: Event }) {
  const canRegister = useRegistrationState(event) === 'open';
  return (
    <p className={styles.empty}>
      <strong>{detailsText.noAttendees}</strong>
      {canRegister && <span>{detailsText.beFirst}</span>}
    </p>
  );
}

function Named({ event, over }: { event: Event; over: boolean }) {
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
  if (attendees.length === 0 && others <= 0) return <NoAttendees event={event} />;
  const folds = attendees.length > NAMED;
  const folded = folds && !unfolded;
  return (
    <>
      <div className={styles.help}>
        <HelpButton panel="attendees" title={detailsText.attendees({ count: event.registrationCount })} />
      </div>
      {attendees.length > 0 && (
        <ul id={listId} className={styles.list}>
          {(folded ? attendees.slice(0, NAMED) : attendees).map((attendee) => (
            <li key={attendee.id} className={styles.attendee}>
              <AttendeeCard attendee={attendee} />
            </li>
          ))}
        </ul>
      )}
      {folded && (
        <div className={styles.faces} aria-hidden="true">
          {attendees.slice(NAMED, NAMED + FACES).map((attendee) => (
            <Avatar key={attendee.id} person={attendee} size={36} />
          ))}
        </div>
      )}
      {folds && (
        <div className={styles.summary}>
          {folded && (
            <p>
              {detailsText.andOthers({ count: Math.max(event.registrationCount, attendees.length) - NAMED })}
            </p>
          )}
          <Button
            type="link"
            className={styles.fold}
            aria-expanded={unfolded}
            aria-controls={listId}
            onClick={() => setUnfolded(!unfolded)}
          >
            {unfolded ? detailsText.hideNames : detailsText.showNames}
          </Button>
        </div>
      )}
      {others > 0 && !folded && (
        <p className={styles.others}>
          {attendees.length > 0
            ? detailsText.andOthers({ count: others })
            : (over ? detailsText.othersPast : detailsText.others)({ count: others })}
        </p>
      )}
      {!folded && <ShowMore query={query} />}
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
          aria-label={detailsText.linkedInOf({ name })}
          className={styles.linkedIn}
        >
          <LinkedInIcon />
        </a>
      )}
    </>
  );
}
