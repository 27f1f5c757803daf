import type { Event } from '@meetmark/contracts';
import type { RegistrationState } from '@meetmark/contracts/registration-state';
import { useQuery } from '@tanstack/react-query';
import Linkify from 'linkify-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { detailsText, eventText, formatText, registrationText } from '../../strings/events';
import { CopyButton } from '../../ui/action-button';
import { CalendarIcon, ClockIcon, CoinIcon, PeopleIcon, PinIcon, TicketIcon } from '../../ui/icons';
import { Badge, type BadgeTone } from '../../ui/marks';
import { isFree } from '../../ui/price';
import { useFormats } from '../../ui/use-formats';
import { AddToCalendar } from './add-to-calendar';
import { Attendees } from './attendees';
import { EventBanner } from './event-banner';
import styles from './event-details.module.css';
import { EventNotice } from './event-notice';
import { placeOf } from './event';
import { registrationCountQuery } from './events.api';
import { RegisterButton } from '../registrations/register-button';
import { usePlaces } from '../registrations/registrations.api';
import { UnregisterButton } from '../registrations/unregister-button';
import { useRegistrationState } from './use-registration-state';

interface EventDetailsProps {
  event: Event;
  /** Level of the title: the page's own, or the dialog's below it. */
  heading: 'h1' | 'h2';
  linkToPage?: boolean;
  /** Nothing can be done with it yet: a draft behind its preview link. */
  preview?: boolean;
}

/** Everything about one event, in the dialog and on its page. */
export function EventDetails({
  event: loaded,
  heading: Heading,
  linkToPage = false,
  preview = false,
}: EventDetailsProps) {
  const { data: fresh } = useQuery({ ...registrationCountQuery(loaded.id), enabled: !preview });
  const event = { ...loaded, registrationCount: fresh?.count ?? loaded.registrationCount };
  const Section = Heading === 'h1' ? 'h2' : 'h3';
  return (
    <article className={styles.details}>
      <div className={styles.picture}>
        <EventBanner event={event} eager />
      </div>
      <div className={styles.body}>
        <EventNotice event={event} preview={preview} />
        <header className={styles.head}>
          <EventBadges event={loaded} />
          <Heading className={styles.title} dir="auto">
            {event.title}
          </Heading>
          {!preview && event.status !== 'draft' && <Registration event={loaded} />}
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
        {!preview && <Attendees event={event} heading={Section} />}
        {!preview && event.status === 'published' && (
          <section className={styles.section}>
            <Section>{detailsText.addToCalendar}</Section>
            <AddToCalendar event={event} />
          </section>
        )}
        {!preview && (
          <footer className={styles.share}>
            <CopyButton
              text={`${window.location.origin}/events/${event.id}`}
              label={detailsText.copyLink}
              copied={detailsText.linkCopied}
              failed={detailsText.linkCopyFailed}
            />
            {linkToPage && <Link to={`/events/${event.id}`}>{detailsText.openPage}</Link>}
          </footer>
        )}
      </div>
    </article>
  );
}

/** What can be done, and what one would want to know before. */
function Registration({ event }: { event: Event }) {
  const place = usePlaces()(event.id);
  const state = useRegistrationState(event);
  const waits = place !== null && place !== 'registered';
  return (
    <>
      <div className={styles.actions}>
        <RegisterButton event={event} size="large" />
        <UnregisterButton event={event} size="large" />
      </div>
      {state === 'waitlist' && waits && <p className={styles.soft}>{registrationText.waitingHint}</p>}
      {state === 'waitlist' && place === null && event.waitingCount > 0 && (
        <p className={styles.soft}>{registrationText.othersWaiting(event.waitingCount)}</p>
      )}
    </>
  );
}

const STATES: Record<RegistrationState, { tone: BadgeTone; words: string }> = {
  scheduled: { tone: 'quiet', words: eventText.opensLater },
  open: { tone: 'good', words: eventText.openForRegistration },
  waitlist: { tone: 'warm', words: eventText.fullyBooked },
  full: { tone: 'warm', words: eventText.fullyBooked },
  closed: { tone: 'quiet', words: registrationText.closed },
  started: { tone: 'accent', words: eventText.happeningNow },
  ended: { tone: 'quiet', words: eventText.pastEvent },
  cancelled: { tone: 'bad', words: eventText.cancelled },
};

const DRAFT = { tone: 'warm', words: eventText.draft } as const;

function EventBadges({ event }: { event: Event }) {
  const formats = useFormats();
  const state = STATES[useRegistrationState(event)];
  const status = event.status === 'draft' ? DRAFT : state;
  return (
    <p className={styles.badges}>
      <Badge tone={status.tone}>{status.words}</Badge>
      <Badge tone="quiet">{formatText.names[event.format]}</Badge>
      <Badge tone="quiet">{isFree(event.price) ? eventText.freeEvent : formats.price(event.price)}</Badge>
    </p>
  );
}

function EventFacts({ event }: { event: Event }) {
  const formats = useFormats();
  return (
    <dl className={styles.facts}>
      <Fact icon={<ClockIcon />} name={detailsText.dateTime}>
        <time dateTime={event.startDate}>{formats.eventSpan(event)}</time>
      </Fact>
      <Fact icon={<PinIcon />} name={detailsText.location}>
        {placeOf(event) ?? detailsText.noLocation}
      </Fact>
      <Fact icon={<PeopleIcon />} name={detailsText.capacity}>
        {event.capacity === null
          ? detailsText.unlimited
          : eventText.places(event.registrationCount, event.capacity)}
      </Fact>
      <Fact icon={<CoinIcon />} name={detailsText.price}>
        {formats.price(event.price)}
      </Fact>
      <Fact icon={<TicketIcon />} name={detailsText.eventType}>
        {event.isAllDay ? detailsText.allDay : detailsText.timed}
      </Fact>
      <Fact icon={<CalendarIcon />} name={detailsText.created}>
        <time dateTime={event.createdAt}>{formats.shortDate(event.createdAt)}</time>
      </Fact>
    </dl>
  );
}

function Fact({ icon, name, children }: { icon: ReactNode; name: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      {icon}
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const OPTIONS = { target: '_blank', rel: 'noopener noreferrer nofollow', defaultProtocol: 'https' };

/** Plain text with its line breaks; addresses in it become links. Never HTML. */
const LinkifiedText = ({ text }: { text: string }) => (
  <p className={styles.text} dir="auto">
    <Linkify options={OPTIONS}>{text}</Linkify>
  </p>
);
