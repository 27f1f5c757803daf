import type { EventContent, EventPage } from '@meetmark/contracts';
import { eventPath } from '@meetmark/contracts/event-path';
import type { RegistrationState } from '@meetmark/contracts/registration-state';
import { detailsText, noticeText } from '@meetmark/contracts/texts/event-page';
import { eventText, formatText, registrationText } from '@meetmark/contracts/texts/events';
import { directionsTo } from '@meetmark/contracts/venue';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useRef } from 'react';
import { Link } from 'react-router-dom';
import { useCommunity } from '../../api/community';
import { PinIcon, VideoIcon } from '../../ui/icons';
import { lazyComponent } from '../../ui/lazy';
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
const ContactHost = lazyComponent<{ event: EventPage }>(() => import('./contact-host'), {
  Failed: () => null,
  waiting: null,
});
const Programme = lazyComponent<{ event: EventPage; heading: 'h2' | 'h3'; recapFirst: boolean }>(
  () => import('./programme'),
  { Failed: () => null, waiting: null },
);
const VenueMap = lazyComponent<{ event: EventPage }>(
  async () => ({ default: (await import('./programme')).VenueMap }),
  {
    Failed: () => null,
    waiting: <i className={styles.map} />,
  },
);
const NextDates = lazyComponent<{ event: EventPage; heading: 'h2' | 'h3' }>(
  async () => ({ default: (await import('./programme')).NextDates }),
  { Failed: () => null, waiting: null },
);

interface EventDetailsProps {
  event: EventPage;
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
  const { name } = useCommunity();
  const { data: fresh } = useQuery({ ...registrationCountQuery(loaded.id), enabled: !preview });
  const event = { ...loaded, registrationCount: fresh?.count ?? loaded.registrationCount };
  const state = useRegistrationState(loaded);
  const registered = usePlace(loaded) === 'registered';
  const card = useRef<HTMLElement>(null);
  const Section = Heading === 'h1' ? 'h2' : 'h3';
  const open = !preview && event.status !== 'draft';
  return (
    <article className={styles.details} data-dialog={linkToPage || undefined}>
      <div className={styles.cover}>
        <EventBanner event={event} place="page" />
      </div>
      <div className={styles.main}>
        <EventNotice event={event} preview={preview} />
        <header className={styles.head}>
          <p className={styles.community}>{name}</p>
          <Heading className={styles.title} dir="auto">
            {event.title}
          </Heading>
          <EventBadges event={loaded} />
        </header>
        <dl className={styles.facts}>
          <When event={loaded} preview={preview} registered={registered} />
          <Where event={event} registered={registered} />
        </dl>
        {open && (
          <RegistrationCard ref={card} event={loaded} count={event.registrationCount} heading={Section} />
        )}
        <About event={event} heading={Section} />
        {(hasProgramme(event.content) || event.gallery?.[0]) && (
          <Programme event={event} heading={Section} recapFirst={state === 'ended'} />
        )}
        {open && event.seriesId && <NextDates event={event} heading={Section} />}
      </div>
      <div className={styles.people}>
        <Hosts hosts={event.content.hosts} heading={Section} />
        {open && <ContactHost event={event} />}
        {!preview && <Attendees event={event} over={state === 'ended'} heading={Section} />}
        <p className={styles.badges}>
          {event.topics.map(({ slug, name }) => (
            <Link key={slug} to={`/?topic=${slug}#events`} className={styles.topic}>
              {name}
            </Link>
          ))}
        </p>
      </div>
      <footer className={styles.foot}>
        <Meta event={event} />
        {!preview && (
          <div className={styles.share}>
            <ShareButton event={event} />
            {linkToPage && <Link to={eventPath(event)}>{detailsText.openPage}</Link>}
          </div>
        )}
      </footer>
      {open && <RegistrationBar event={loaded} card={card} />}
    </article>
  );
}

const hasProgramme = ({ accessibility, agenda, speakers, resources, recap }: EventContent) =>
  agenda.length + speakers.length + resources.length > 0 || Boolean(recap ?? accessibility);

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

function EventBadges({ event }: { event: EventPage }) {
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

/** Where people meet, in a room, from afar or both. */
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
            <span className={styles.lines} dir="auto">
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
            <span className={styles.lines} dir="auto">
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

function About({ event, heading: Heading }: { event: EventPage; heading: 'h2' | 'h3' }) {
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
        <p className={styles.soft}>{detailsText.noDescription}</p>
      )}
    </section>
  );
}

/** Shows the text as it was typed until the part that renders it has arrived. */
function PlainText({ text }: { text: string }) {
  return (
    <p className={styles.text} dir="auto">
      {text}
    </p>
  );
}

function Hosts({ hosts, heading: Heading }: { hosts: EventContent['hosts']; heading: 'h2' | 'h3' }) {
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

/** Facts that few readers need, in a line at the foot. */
function Meta({ event }: { event: EventPage }) {
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

/** What a reader has to know first: that others do not see the event. */
function EventNotice({ event, preview }: { event: EventPage; preview: boolean }) {
  const formats = useFormats();
  if (event.status === 'draft')
    return (
      <p className={styles.notice} role="note">
        <strong>{noticeText.draftTitle}</strong>
        <span>
          {preview ? noticeText.previewed : noticeText.draft}{' '}
          {event.publishAt && noticeText.publishes({ moment: formats.eventMoment(event, event.publishAt) })}
        </span>
      </p>
    );
  if (event.visibility === 'unlisted')
    return (
      <p className={styles.notice} data-tone="quiet" role="note">
        <strong>{noticeText.unlistedTitle}</strong>
        <span>{noticeText.unlisted}</span>
      </p>
    );
  return null;
}
