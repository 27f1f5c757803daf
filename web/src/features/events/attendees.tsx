import type { Event, EventPage } from '@meetmark/contracts';
import { commonText } from '@meetmark/contracts/texts/common';
import { detailsText } from '@meetmark/contracts/texts/event-page';
import { useLocation } from 'react-router-dom';
import { AgainButton, lazyComponent } from '../../ui/lazy';
import { loginPath } from '../auth/return-to';
import { useSession } from '../auth/session';
import { ConfirmAddress } from '../registrations/kept-until';
import styles from './attendees.module.css';

// Only members see names.
const AttendeeList = lazyComponent<{ event: Event; over: boolean }>(() => import('./attendee-list'), {
  Failed: AgainButton,
  waiting: <div className={styles.skeleton} role="status" aria-label={commonText.loading} />,
});

// Few events have any.
const PublicFaces = lazyComponent<{ event: EventPage }>(() => import('./public-faces'), {
  Failed: AgainButton,
  waiting: null,
});

interface AttendeesProps {
  event: EventPage;
  /** Whether it has taken place. */
  over?: boolean;
  heading: 'h2' | 'h3';
}

/** Who is coming: names for members with a confirmed address; for others the number, and those who let them see it. */
export function Attendees({ event, over = false, heading: Heading }: AttendeesProps) {
  const { user } = useSession();
  const { pathname, search } = useLocation();
  return (
    <section className={styles.section} aria-labelledby="attendees-title">
      <Heading id="attendees-title">{detailsText.attendees({ count: event.registrationCount })}</Heading>
      {user?.emailVerifiedAt === null && event.registrationCount > 0 ? (
        <div className={styles.unproved}>
          <p>{detailsText.confirmForAttendees}</p>
          <ConfirmAddress />
        </div>
      ) : user || event.registrationCount === 0 ? (
        <AttendeeList event={event} over={over} />
      ) : (
        <>
          {event.publicAttendees?.[0] && <PublicFaces event={event} />}
          <a className={styles.signIn} href={loginPath(pathname + search)}>
            {detailsText.signInForAttendees}
          </a>
        </>
      )}
    </section>
  );
}
