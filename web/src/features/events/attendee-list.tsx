import type { Attendee, Event } from '@meetmark/contracts';
import { commonText } from '@meetmark/i18n/texts/common';
import { detailsText } from '@meetmark/i18n/texts/event-page';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionButton } from '../../ui/action-button';
import { ErrorState } from '../../ui/feedback';
import { LinkedInIcon } from '../../ui/icons';
import { Avatar } from '../../ui/marks';
import { HelpButton } from '../help/help-button';
import styles from './attendees.module.css';
import { allAttendeesQuery, attendeesQuery } from './shared/events.api';
import { useRegistrationState } from './shared/use-registration-state';

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
  const [wanted, setWanted] = useState(false);
  const first = useQuery(attendeesQuery(event.id));
  const rest = useQuery({ ...allAttendeesQuery(event.id), enabled: wanted });
  const { data, error, refetch } = first;
  if (error && !data)
    return <ErrorState title={detailsText.attendeesFailed} error={error} retry={() => void refetch()} />;
  if (!data) return <div className={styles.skeleton} role="status" aria-label={commonText.loading} />;
  const attendees = rest.data ?? data.items;
  const hasMore = data.next !== null && !rest.data;
  // people who hide themselves or haven't verified their email address aren't listed
  const others = hasMore ? 0 : event.registrationCount - attendees.length;
  if (attendees.length === 0 && others <= 0) return <NoAttendees event={event} />;
  return (
    <>
      <div className={styles.help}>
        <HelpButton panel="attendees" title={detailsText.attendees({ count: event.registrationCount })} />
      </div>
      {attendees.length > 0 && (
        <ul className={styles.list}>
          {attendees.map((attendee) => (
            <li key={attendee.id} className={styles.attendee}>
              <AttendeeCard attendee={attendee} />
            </li>
          ))}
        </ul>
      )}
      {hasMore && (
        <div>
          <ActionButton
            inactive={rest.isFetching}
            onClick={() => (wanted ? void rest.refetch() : setWanted(true))}
          >
            {detailsText.showAll({ count: event.registrationCount })}
          </ActionButton>
        </div>
      )}
      {hasMore && rest.error && (
        <ErrorState
          title={detailsText.attendeesFailed}
          error={rest.error}
          retry={() => void rest.refetch()}
        />
      )}
      {others > 0 && (
        <p className={styles.others}>
          {attendees.length > 0
            ? detailsText.andOthers({ count: others })
            : (over ? detailsText.othersPast : detailsText.others)({ count: others })}
        </p>
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
          aria-label={detailsText.linkedInOf({ name })}
          className={styles.linkedIn}
        >
          <LinkedInIcon />
        </a>
      )}
    </>
  );
}
