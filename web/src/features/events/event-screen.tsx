import type { EventPage } from '@meetmark/contracts';
import { detailsText } from '@meetmark/contracts/texts/event-page';
import { Link, useParams } from 'react-router-dom';
import { ChevronLeftIcon } from '../../ui/icons';
import { lazyComponent } from '../../ui/lazy';
import { usePageTitle } from '../../ui/screen-heading';
import { useSession } from '../auth/session';
import { EventDetails } from './event-details';
import styles from './shared/event-details.module.css';
import { EventLoader } from './shared/event-loader';

// Two steps: the names of all that its dialogs are made of are no part of the page.
const OrganiserBar = lazyComponent<{ event: EventPage }>(() => import('./organiser-bar'), {
  Failed: () => null,
  waiting: null,
});

/** One event on a page of its own: the link that is shared. A short address names it, the id stands in older links and of drafts. */
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
      {(user?.isAdmin || event.mayManage) && <OrganiserBar event={event} />}
      <EventDetails event={event} heading="h1" />
    </>
  );
}
