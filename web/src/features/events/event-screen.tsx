import type { EventPage } from '@meetmark/contracts';
import { detailsText } from '@meetmark/i18n/texts/event-page';
import { Link, useParams } from 'react-router-dom';
import { ChevronLeftIcon } from '../../ui/icons';
import { lazyExtra } from '../../ui/lazy';
import { usePageTitle } from '../../ui/screen-heading';
import { useSession } from '../auth/session';
import { EventDetails } from './event-details';
import styles from './shared/event-details.module.css';
import { EventLoader } from './shared/event-loader';

// loaded separately, so that visitors don't load the organisers' code
const OrganiserBar = lazyExtra<{ event: EventPage }>(() => import('./organiser-bar'));

const VerificationNotice = lazyExtra<object>(() => import('../auth/verification-notice'));

/** The URL contains the slug, or the ID for drafts and older links. */
export default function EventScreen() {
  const { eventId, slug } = useParams();
  return (
    <div className={styles.page}>
      <Link to="/events" className={styles.back}>
        <ChevronLeftIcon size={18} /> {detailsText.allEvents}
      </Link>
      <EventLoader eventId={eventId} slug={slug} page>
        {(event) => <Page event={event} />}
      </EventLoader>
    </div>
  );
}

function Page({ event }: { event: EventPage }) {
  usePageTitle(event.title);
  const { user } = useSession();
  return (
    <>
      {user?.emailVerifiedAt === null && <VerificationNotice />}
      {(user?.isAdmin || event.mayManage) && <OrganiserBar event={event} />}
      <EventDetails event={event} />
    </>
  );
}
