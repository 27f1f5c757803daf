import type { EventPage } from '@meetmark/contracts';
import { eventPath } from '@meetmark/contracts/events/event-path';
import { detailsText } from '@meetmark/i18n/texts/event-page';
import { useRef } from 'react';
import { Link } from 'react-router-dom';
import { Dialog } from '../../ui/dialog';
import { RegistrationBar, RegistrationCard } from '../registrations/registration-card';
import { Attendees } from './attendees';
import {
  About,
  ContactHost,
  EventBadges,
  EventNotice,
  Facts,
  Further,
  hasMore,
  hasNotice,
  Hosts,
  Meta,
  REGISTER,
  Topics,
  useFreshCount,
} from './event-details';
import { EventBanner } from './shared/event-banner';
import styles from './shared/event-details.module.css';
import { EventLoader } from './shared/event-loader';
import { ShareButton } from './shared/share-button';
import { useRegistrationState } from './shared/use-registration-state';

export default function EventDetailsDialog({ eventId, close }: { eventId: string; close: () => void }) {
  return (
    <Dialog title={detailsText.title} hideTitle close={close} width={1080} className={styles.dialog}>
      {() => <EventLoader eventId={eventId}>{(event) => <Details event={event} />}</EventLoader>}
    </Dialog>
  );
}

function Details({ event: loaded }: { event: EventPage }) {
  const event = useFreshCount(loaded);
  const state = useRegistrationState(loaded);
  const isOver = state === 'ended' || state === 'cancelled';
  const card = useRef<HTMLElement>(null);
  const isOpen = event.status !== 'draft';
  return (
    <article className={`${styles.details} ${styles.inDialog}`}>
      <div className={styles.cover}>
        <EventBanner event={event} place="page" />
      </div>
      <header className={styles.head}>
        <h2 className={styles.title} dir="auto">
          {event.title}
        </h2>
        <EventBadges event={loaded} />
      </header>
      <div className={styles.side}>
        <Facts event={event} />
        <Meta event={event} />
      </div>
      <About event={event} heading="h3" />
      <Attendees event={event} over={isOver} heading="h3" />
      <div className={styles.main}>
        {hasNotice(event) && <EventNotice event={event} />}
        {isOpen && (
          <RegistrationCard
            ref={card}
            event={loaded}
            count={event.registrationCount}
            heading="h3"
            codePath={`${eventPath(event)}#${REGISTER}`}
          />
        )}
        {hasMore(event) && <Further event={event} heading="h3" />}
        <Hosts hosts={event.content.hosts} heading="h3" />
        {isOpen && <ContactHost event={event} />}
        <Topics event={event} />
      </div>
      <footer className={styles.foot}>
        <Link to={eventPath(event)}>{detailsText.openPage}</Link>
        <ShareButton event={event} />
      </footer>
      {isOpen && <RegistrationBar event={loaded} card={card} inDialog />}
    </article>
  );
}
