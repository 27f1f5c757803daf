import type { EventContent, EventPage, GalleryPicture } from '@meetmark/contracts';
import { eventPath } from '@meetmark/contracts/events/event-path';
import { detailsText as text, noticeText } from '@meetmark/i18n/texts/event-page';
import { directionsTo } from '@meetmark/contracts/events/venue';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { useCommunity } from '../../api/community';
import { eventDay } from '../../ui/event-days';
import { LinkedInIcon } from '../../ui/icons';
import { lazyExtra } from '../../ui/lazy';
import { Avatar } from '../../ui/marks';
import { useFormats } from '../../ui/use-formats';
import styles from './shared/event-details.module.css';
import { nextDatesQuery } from './shared/events.api';
import type { EventDetailsProps, FurtherProps } from './event-details';
import { KeptHtml } from './kept-html';
import { useRegistrationState } from './shared/use-registration-state';
import Markdown from './shared/markdown';

const Gallery = lazyExtra<{ pictures: GalleryPicture[]; heading: 'h2' | 'h3' }>(() => import('./gallery'));

export function Further({ event, heading }: FurtherProps) {
  const { content, status, seriesId } = event;
  const isOver = useRegistrationState(event) === 'ended';
  const after = <Afterwards event={event} heading={heading} />;
  return (
    <>
      {isOver && after}
      {content.accessibility && (
        <Section heading={heading} title={text.accessibility}>
          <p className={styles.text} dir="auto">
            {content.accessibility}
          </p>
        </Section>
      )}
      {content.agenda.length > 0 && (
        <Section heading={heading} title={text.agenda}>
          <Agenda event={event} />
        </Section>
      )}
      {content.speakers.length > 0 && (
        <Section heading={heading} title={text.speakers}>
          <Speakers speakers={content.speakers} />
        </Section>
      )}
      {!isOver && after}
      {seriesId && status !== 'draft' && <NextDates event={event} heading={heading} />}
    </>
  );
}

export function VenueMap({ event }: { event: EventPage }) {
  const { content, format, location, status } = event;
  const { venue } = content;
  const directions = directionsTo({ format, location, venue });
  const address = venue?.address;
  // remembers for which address the map failed to load, because another address may have a map
  const [missing, setMissing] = useState<string | null>();
  // drafts have no map image, because visitors can't see drafts
  if (!address || !directions || status === 'draft' || missing === address) return null;
  return (
    <a className={styles.map} href={directions} target="_blank" rel="noopener noreferrer nofollow">
      <img
        key={address}
        src={`/media/maps/${event.id}.webp?version=${event.version}`}
        alt={text.mapOf({ place: address })}
        width={800}
        height={400}
        loading="lazy"
        onError={() => setMissing(address)}
      />
    </a>
  );
}

function NextDates({ event, heading }: { event: EventPage; heading: 'h2' | 'h3' }) {
  const { data: dates = [] } = useQuery(nextDatesQuery(event));
  const { eventWhen } = useFormats();
  if (dates.length === 0) return null;
  return (
    <Section heading={heading} title={text.nextDates}>
      <ul className={styles.dates}>
        {dates.map((other) => {
          const { days, hours } = eventWhen(other);
          return (
            <li key={other.id}>
              <Link to={eventPath(other)}>
                <time dateTime={other.startDate}>{days}</time>
              </Link>
              {hours && <span>{hours}</span>}
              {other.title !== event.title && <span dir="auto">{other.title}</span>}
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

function Section({
  heading: Heading,
  title,
  id,
  children,
}: {
  heading: 'h2' | 'h3';
  title: string;
  id?: string;
  children: ReactNode;
}) {
  return (
    <section className={styles.section} id={id}>
      <Heading>{title}</Heading>
      {children}
    </section>
  );
}

function Afterwards({ event, heading }: { event: EventPage; heading: 'h2' | 'h3' }) {
  const { recap, resources } = event.content;
  const html = event.html?.recap ?? null;
  return (
    <>
      {recap && (
        <Section heading={heading} title={text.recap} id="recap">
          {html === null ? (
            <Markdown text={recap} heading={heading === 'h2' ? 'h3' : 'h4'} />
          ) : (
            <KeptHtml html={html} heading={heading === 'h2' ? 'h3' : 'h4'} />
          )}
        </Section>
      )}
      {event.gallery?.[0] && <Gallery pictures={event.gallery} heading={heading} />}
      {resources.length > 0 && (
        <Section heading={heading} title={text.resources} id="resources">
          <ul className={styles.resources}>
            {resources.map(({ title, url }) => (
              <li key={url + title}>
                <a href={url} target="_blank" rel="noopener noreferrer nofollow" dir="auto">
                  {title}
                </a>
                <small>{new URL(url).host}</small>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

function Agenda({ event }: { event: EventPage }) {
  const formats = useFormats();
  const community = useCommunity();
  const days = new Map<string, EventContent['agenda']>();
  for (const item of event.content.agenda) {
    const day = eventDay(event, item.startsAt, community);
    days.set(day, [...(days.get(day) ?? []), item]);
  }
  return [...days].map(([day, ofDay]) => (
    <div key={day} className="grid gap-2">
      {days.size > 1 && <p className="soft strong">{day}</p>}
      <ol className={styles.agenda}>
        {ofDay.map((item) => (
          <li key={item.startsAt + item.title}>
            <time dateTime={item.startsAt}>
              {formats.eventHours(event, item.startsAt, item.endsAt ?? undefined)}
            </time>
            <div>
              <strong dir="auto">{item.title}</strong>
              {item.note && (
                <p className="anywhere pre-line" dir="auto">
                  {item.note}
                </p>
              )}
            </div>
          </li>
        ))}
      </ol>
    </div>
  ));
}

const isLinkedIn = (url: string) => /(^|\.)linkedin\.com$/.test(new URL(url).hostname);

function Speakers({ speakers }: { speakers: EventContent['speakers'] }) {
  return (
    <ul className={styles.speakers}>
      {speakers.map(({ name, role, bio, linkUrl, userId, profileImageUrl, agreed }) => {
        const [firstName, ...rest] = name.split(' ');
        return (
          <li key={(userId ?? '') + name}>
            <Avatar person={{ firstName, lastName: rest.at(-1) ?? firstName, profileImageUrl }} size={48} />
            <div>
              <p>
                <strong dir="auto">{name}</strong>
                {!agreed && <small> ({text.notAgreed})</small>}
              </p>
              {role && <p dir="auto">{role}</p>}
              {bio && (
                <p className="anywhere pre-line" dir="auto">
                  {bio}
                </p>
              )}
            </div>
            {linkUrl && (
              <a
                href={linkUrl}
                target="_blank"
                rel="noopener noreferrer nofollow"
                aria-label={isLinkedIn(linkUrl) ? text.linkedInOf({ name }) : text.moreOf({ name })}
              >
                {isLinkedIn(linkUrl) ? <LinkedInIcon /> : text.more}
              </a>
            )}
          </li>
        );
      })}
    </ul>
  );
}

export function EventNotice({ event, preview = false }: EventDetailsProps) {
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
  return (
    <p className={styles.notice} data-tone="quiet" role="note">
      <strong>{noticeText.unlistedTitle}</strong>
      <span>{noticeText.unlisted}</span>
    </p>
  );
}
