import type { EventContent, EventPage, GalleryPicture } from '@meetmark/contracts';
import { eventPath } from '@meetmark/contracts/event-path';
import { detailsText as text } from '@meetmark/contracts/texts/event-page';
import { directionsTo } from '@meetmark/contracts/venue';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { useCommunity } from '../../api/community';
import { eventDay } from '../../ui/event-days';
import { LinkedInIcon } from '../../ui/icons';
import { lazyComponent } from '../../ui/lazy';
import { Avatar } from '../../ui/marks';
import { useFormats } from '../../ui/use-formats';
import styles from './shared/event-details.module.css';
import { nextDatesQuery } from './shared/events.api';
import { KeptHtml } from './kept-html';
import Markdown from './shared/markdown';

const Gallery = lazyComponent<{ pictures: GalleryPicture[]; heading: 'h2' | 'h3' }>(
  () => import('./gallery'),
  {
    Failed: () => null,
    waiting: null,
  },
);

interface ProgrammeProps {
  event: EventPage;
  heading: 'h2' | 'h3';
  /** Whether it is over: then what came of it stands first. */
  recapFirst: boolean;
}

/** How one gets in, what happens, who speaks, and what is left of it afterwards. */
export default function Programme({ event, heading, recapFirst }: ProgrammeProps) {
  const { content } = event;
  const after = <Afterwards event={event} heading={heading} />;
  return (
    <>
      {recapFirst && after}
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
      {!recapFirst && after}
    </>
  );
}

/** A picture of where the venue is, which leads to a map that can be moved. Nothing where there is no picture. */
export function VenueMap({ event }: { event: EventPage }) {
  const { content, format, location, status } = event;
  const { venue } = content;
  const directions = directionsTo({ format, location, venue });
  const address = venue?.address;
  // another address is another picture, which may be there
  const [missing, setMissing] = useState<string | null>();
  // visitors are not answered a draft, so there is no picture of it
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

/** When the events of a series come next: nothing while that is not known, or where none is announced. */
export function NextDates({ event, heading }: { event: EventPage; heading: 'h2' | 'h3' }) {
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
  /** Where the server has made it. */
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

/** Items by start; of several days, each under its date. */
function Agenda({ event }: { event: EventPage }) {
  const formats = useFormats();
  const community = useCommunity();
  const days = new Map<string, EventContent['agenda']>();
  for (const item of event.content.agenda) {
    const day = eventDay(event, item.startsAt, community);
    days.set(day, [...(days.get(day) ?? []), item]);
  }
  return [...days].map(([day, ofDay]) => (
    <div key={day} className={styles.day}>
      {days.size > 1 && <p className={styles.dayName}>{day}</p>}
      <ol className={styles.agenda}>
        {ofDay.map((item) => (
          <li key={item.startsAt + item.title}>
            <time dateTime={item.startsAt}>
              {formats.eventHours(event, item.startsAt, item.endsAt ?? undefined)}
            </time>
            <div>
              <strong dir="auto">{item.title}</strong>
              {item.note && (
                <p className={styles.lines} dir="auto">
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
                <p className={styles.lines} dir="auto">
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
