import type { Event } from '@meetmark/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { detailsText } from '../../strings/events';
import { CopyButton } from '../../ui/action-button';
import { LinkifiedText } from '../../ui/linkified-text';
import { AddToCalendar } from './add-to-calendar';
import { Attendees } from './attendees';
import { EventBadges } from './event-badges';
import { EventBanner } from './event-banner';
import styles from './event-details.module.css';
import { EventFacts } from './event-facts';
import { registrationCountQuery } from './events.api';
import { RegisterButton } from './register-button';
import { UnregisterButton } from './unregister-button';

interface EventDetailsProps {
  event: Event;
  /** Level of the title: the page's own, or the dialog's below it. */
  heading: 'h1' | 'h2';
  linkToPage?: boolean;
}

/** Everything about one event, in the dialog and on its page. */
export function EventDetails({ event: loaded, heading: Heading, linkToPage = false }: EventDetailsProps) {
  const { data: fresh } = useQuery(registrationCountQuery(loaded.id));
  const event = { ...loaded, registrationCount: fresh?.count ?? loaded.registrationCount };
  const Section = Heading === 'h1' ? 'h2' : 'h3';
  return (
    <article className={styles.details}>
      <div className={styles.picture}>
        <EventBanner event={event} eager />
      </div>
      <div className={styles.body}>
        <header className={styles.head}>
          <EventBadges event={event} />
          <Heading className={styles.title} dir="auto">
            {event.title}
          </Heading>
          <div className={styles.actions}>
            <RegisterButton event={event} size="large" />
            <UnregisterButton event={event} size="large" />
          </div>
        </header>
        <EventFacts event={event} />
        <section className={styles.section}>
          <Section>{detailsText.description}</Section>
          {event.description ? (
            <LinkifiedText text={event.description} />
          ) : (
            <p className={styles.soft}>{detailsText.noDescription}</p>
          )}
        </section>
        <Attendees event={event} heading={Section} />
        <section className={styles.section}>
          <Section>{detailsText.addToCalendar}</Section>
          <AddToCalendar event={event} />
        </section>
        <footer className={styles.share}>
          <CopyButton
            text={`${window.location.origin}/events/${event.id}`}
            label={detailsText.copyLink}
            copied={detailsText.linkCopied}
            failed={detailsText.linkCopyFailed}
          />
          {linkToPage && <Link to={`/events/${event.id}`}>{detailsText.openPage}</Link>}
        </footer>
      </div>
    </article>
  );
}
