import type { EventContent, EventPage } from '@meetmark/contracts';
import type { RegistrationState } from '@meetmark/contracts/events/registration-state';
import { detailsText } from '@meetmark/i18n/texts/event-page';
import { eventText, formatText, registrationText } from '@meetmark/i18n/texts/events';
import { directionsTo } from '@meetmark/contracts/events/venue';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useRef } from 'react';
import { Link } from 'react-router-dom';
import { useCommunity } from '../../api/community';
import { PinIcon, VideoIcon } from '../../ui/icons';
import { lazyComponent, lazyExtra } from '../../ui/lazy';
import { Avatar, Badge, type BadgeTone, CalendarLeaf } from '../../ui/marks';
import { isFree } from '../../ui/price';
import { useFormats } from '../../ui/use-formats';
import { RegistrationBar, RegistrationCard } from '../registrations/registration-card';
import { usePlace } from '../registrations/registrations.api';
import { AddToCalendar } from './shared/add-to-calendar';
import { Attendees } from './attendees';
import { EventBanner } from './shared/event-banner';
import styles from './shared/event-details.module.css';
import { registrationCountQuery } from './shared/events.api';
import { KeptHtml } from './kept-html';
import { useRegistrationState } from './shared/use-registration-state';
import { ShareButton } from './shared/share-button';

interface TextProps {
  text: string;
  heading: 'h3' | 'h4';
}
const Markdown = lazyComponent<TextProps>(() => import('./shared/markdown'), { Failed: PlainText });
const LinkedText = lazyComponent<TextProps>(() => import('./linked-text'), { Failed: PlainText });
export const ContactHost = lazyExtra<{ event: EventPage }>(() => import('./contact-host'));
export const EventNotice = lazyExtra<EventDetailsProps>(async () => ({
  default: (await import('./programme')).EventNotice,
}));
export const Further = lazyExtra<FurtherProps>(async () => ({
  default: (await import('./programme')).Further,
}));
const VenueMap = lazyComponent<{ event: EventPage }>(
  async () => ({ default: (await import('./programme')).VenueMap }),
  {
    Failed: () => null,
    waiting: <i className={styles.map} />,
  },
);
export interface EventDetailsProps {
  event: EventPage;
  preview?: boolean;
}

export function EventDetails({ event: loaded, preview = false }: EventDetailsProps) {
  const { name } = useCommunity();
  const event = useFreshCount(loaded, preview);
  const state = useRegistrationState(loaded);
  const isOver = state === 'ended' || state === 'cancelled';
  const card = useRef<HTMLElement>(null);
  const isOpen = !preview && event.status !== 'draft';
  return (
    <article className={styles.details}>
      <div className={styles.cover}>
        <EventBanner event={event} place="page" />
      </div>
      <div className={styles.main}>
        {hasNotice(event) && <EventNotice event={event} preview={preview} />}
        <header className="grid one-column gap-3">
          <p className={styles.community}>{name}</p>
          <h1 className={styles.title} dir="auto">
            {event.title}
          </h1>
          <EventBadges event={loaded} />
        </header>
        <Facts event={event} preview={preview} />
        {isOpen && (
          <RegistrationCard
            ref={card}
            id={REGISTER}
            event={loaded}
            count={event.registrationCount}
            heading="h2"
          />
        )}
        <About event={event} heading="h2" />
        {hasMore(event) && <Further event={event} heading="h2" />}
      </div>
      <div className={styles.people}>
        <Hosts hosts={event.content.hosts} heading="h2" />
        {isOpen && <ContactHost event={event} />}
        {!preview && <Attendees event={event} over={isOver} heading="h2" />}
        <Topics event={event} />
      </div>
      <footer className={styles.foot}>
        <Meta event={event} />
        {!preview && (
          <div className={styles.share}>
            <ShareButton event={event} />
          </div>
        )}
      </footer>
      {isOpen && <RegistrationBar event={loaded} card={card} />}
    </article>
  );
}

export const REGISTER = 'register';

export function useFreshCount(event: EventPage, preview = false): EventPage {
  const { data } = useQuery({ ...registrationCountQuery(event.id), enabled: !preview });
  return { ...event, registrationCount: data?.count ?? event.registrationCount };
}

export function Facts({ event, preview = false }: EventDetailsProps) {
  const registered = usePlace(event) === 'registered';
  return (
    <dl className="grid gap-4">
      <When event={event} preview={preview} registered={registered} />
      <Where event={event} registered={registered} />
    </dl>
  );
}

export interface FurtherProps {
  event: EventPage;
  heading: 'h2' | 'h3';
}

export const hasNotice = ({ status, visibility }: EventPage) =>
  status === 'draft' || visibility === 'unlisted';

export const hasMore = ({ content, gallery, seriesId }: EventPage) => {
  const { accessibility, agenda, speakers, resources, recap } = content;
  const lists = [agenda, speakers, resources, gallery ?? []];
  return lists.some(({ length }) => length > 0) || Boolean(recap ?? accessibility ?? seriesId);
};

export const Topics = ({ event: { topics } }: { event: EventPage }) => (
  <p className={styles.badges}>
    {topics.map(({ slug, name }) => (
      <Link key={slug} to={`/?topic=${slug}#events`} className={styles.topic}>
        {name}
      </Link>
    ))}
  </p>
);

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

export function EventBadges({ event }: { event: EventPage }) {
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

function When({ event, preview, registered }: { event: EventPage; preview: boolean; registered: boolean }) {
  const { days, hours, beside } = useFormats().eventWhen(event);
  return (
    <Fact tile={<CalendarLeaf event={event} className={styles.leaf} />} name={detailsText.dateTime}>
      <strong>
        <time dateTime={event.startDate}>{days}</time>
      </strong>
      <span>{hours ?? detailsText.allDay}</span>
      {beside && <span>{detailsText.clockOf[beside.of]({ hours: beside.hours })}</span>}
      {!preview && !registered && event.status === 'published' && <AddToCalendar event={event} plain />}
    </Fact>
  );
}

function Where({ event, registered }: { event: EventPage; registered: boolean }) {
  const { content, format, location } = event;
  const { venue } = content;
  const { hasMaps } = useCommunity();
  const place = venue?.name ?? location;
  const directions = directionsTo({ format, location, venue });
  const atPlace = format !== 'online' || place !== null;
  const remote = format !== 'in_person';
  return (
    <>
      {atPlace && (
        <Fact tile={<PinIcon size={22} />} name={detailsText.location}>
          <strong dir="auto">{place ?? detailsText.noLocation}</strong>
          {venue?.address && <span dir="auto">{venue.address}</span>}
          {venue?.note && (
            <span className="anywhere pre-line" dir="auto">
              {venue.note}
            </span>
          )}
          {place !== null && directions && (
            <a
              href={directions}
              target="_blank"
              rel="noopener noreferrer nofollow"
              aria-label={detailsText.directionsTo({ place })}
            >
              {detailsText.directions}
            </a>
          )}
          {hasMaps && venue?.address && <VenueMap event={event} />}
        </Fact>
      )}
      {remote && (
        <Fact tile={<VideoIcon size={22} />} name={atPlace ? detailsText.online : detailsText.location}>
          <strong>{detailsText.online}</strong>
          {content.onlineUrl ? (
            <a href={content.onlineUrl} target="_blank" rel="noopener noreferrer nofollow">
              {detailsText.joinOnline}
            </a>
          ) : (
            content.hasOnlineUrl && !registered && <span>{detailsText.linkForRegistered}</span>
          )}
          {content.onlineNote && (
            <span className="anywhere pre-line" dir="auto">
              {content.onlineNote}
            </span>
          )}
        </Fact>
      )}
    </>
  );
}

function Fact({ tile, name, children }: { tile: ReactNode; name: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>
        <span className={styles.tile} aria-hidden="true">
          {tile}
        </span>
        <span className="visually-hidden">{name}</span>
      </dt>
      <dd>{children}</dd>
    </div>
  );
}

export function About({ event, heading: Heading }: { event: EventPage; heading: 'h2' | 'h3' }) {
  const isMarkdown = event.descriptionFormat === 'markdown';
  const Text = isMarkdown ? Markdown : LinkedText;
  const below = Heading === 'h2' ? 'h3' : 'h4';
  const html = isMarkdown && event.html?.description;
  return (
    <section className={styles.section}>
      <Heading>{detailsText.description}</Heading>
      {html ? (
        <KeptHtml html={html} heading={below} />
      ) : event.description ? (
        <Suspense fallback={<PlainText text={event.description} />}>
          <Text text={event.description} heading={below} />
        </Suspense>
      ) : (
        <p className="soft">{detailsText.noDescription}</p>
      )}
    </section>
  );
}

function PlainText({ text }: { text: string }) {
  return (
    <p className={styles.text} dir="auto">
      {text}
    </p>
  );
}

export function Hosts({ hosts, heading: Heading }: { hosts: EventContent['hosts']; heading: 'h2' | 'h3' }) {
  if (hosts.length === 0) return null;
  return (
    <section className={styles.section}>
      <Heading>{detailsText.hosts}</Heading>
      <ul className={styles.hosts}>
        {hosts.map((host) => {
          const name = `${host.firstName} ${host.lastName}`;
          return (
            <li key={host.id}>
              <Avatar person={host} size={36} />
              <span dir="auto">
                {host.linkedInUrl ? (
                  <a
                    href={host.linkedInUrl}
                    target="_blank"
                    rel="noopener noreferrer nofollow"
                    aria-label={detailsText.linkedInOf({ name })}
                  >
                    {name}
                  </a>
                ) : (
                  name
                )}
                {!host.agreed && <small> ({detailsText.notAgreed})</small>}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

export function Meta({ event }: { event: EventPage }) {
  const formats = useFormats();
  const facts: [name: string, value: ReactNode][] = [
    [
      detailsText.capacity,
      event.capacity === null
        ? detailsText.unlimited
        : eventText.places({ registered: event.registrationCount, capacity: event.capacity }),
    ],
    [detailsText.eventType, event.isAllDay ? detailsText.allDay : detailsText.timed],
    [
      detailsText.created,
      <time key="created" dateTime={event.createdAt}>
        {formats.shortDate(event.createdAt)}
      </time>,
    ],
  ];
  return (
    <dl className={styles.meta}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
