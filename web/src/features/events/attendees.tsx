import type { Event, EventPage } from '@meetmark/contracts';
import { commonText } from '@meetmark/i18n/texts/common';
import { detailsText } from '@meetmark/i18n/texts/event-page';
import { useLocation } from 'react-router-dom';
import { AgainButton, lazyComponent, lazyPart } from '../../ui/lazy';
import { loginPath } from '../auth/return-to';
import { useSession } from '../auth/session';
import styles from './attendees.module.css';

const AttendeeList = lazyComponent<{ event: Event; over: boolean }>(() => import('./attendee-list'), {
  Failed: AgainButton,
  waiting: <div className={styles.skeleton} role="status" aria-label={commonText.loading} />,
});

const PublicFaces = lazyPart<{ event: EventPage }>(() => import('./public-faces'));

interface AttendeesProps {
  event: EventPage;
  over?: boolean;
  heading: 'h2' | 'h3';
}

export function Attendees({ event, over = false, heading: Heading }: AttendeesProps) {
  const { user } = useSession();
  const { pathname, search } = useLocation();
  return (
    <section className={styles.section} aria-labelledby="attendees-title">
      <Heading id="attendees-title">{detailsText.attendees({ count: event.registrationCount })}</Heading>
      {user || event.registrationCount === 0 ? (
        <AttendeeList event={event} over={over} />
      ) : (
        <>
          {event.publicAttendees?.[0] && <PublicFaces event={event} />}
          <a className={styles.signIn} href={loginPath(pathname + search)}>
            {over ? detailsText.signInForAttendeesPast : detailsText.signInForAttendees}
          </a>
        </>
      )}
    </section>
  );
}
