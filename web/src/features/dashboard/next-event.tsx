import type { Event } from '@meetmark/contracts';
import { dashboardText as text } from '@meetmark/i18n/texts/dashboard';
import { directionsTo } from '@meetmark/contracts/events/venue';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useCommunity } from '../../api/community';
import { timeUntil } from '../../ui/event-days';
import { lazyDialog } from '../../ui/lazy';
import { CalendarLeaf } from '../../ui/marks';
import { useFormats } from '../../ui/use-formats';
import { useNow } from '../../ui/use-now';
import { formatLocation } from '../events/shared/event';
import { EventBanner } from '../events/shared/event-banner';
import { eventQuery } from '../events/shared/events.api';
import { useDetailsLink } from '../events/shared/use-details-link';
import OwnCode from '../registrations/own-code';
import styles from './dashboard.module.css';

const UnregisterDialog = lazyDialog(() => import('../registrations/unregister-dialog'));

export function NextEvent({ event }: { event: Event }) {
  const formats = useFormats();
  const community = useCommunity();
  const now = useNow();
  const details = useDetailsLink(event.id);
  const [leaving, setLeaving] = useState(false);
  const content = useQuery(eventQuery(event.id)).data?.content;
  const place = formatLocation(event);
  const directions = directionsTo({ ...event, venue: content?.venue });
  const running = Date.parse(event.startDate) <= now;
  return (
    <section className={styles.next} aria-labelledby="next-title">
      <div className={styles.nextPicture}>
        <EventBanner event={event} place="page" />
        <CalendarLeaf event={event} className={styles.nextLeaf} />
      </div>
      <div className={styles.nextWords}>
        <h2 id="next-title">
          {text.nextEvent}
          <span className={styles.until}>
            {running ? text.now : timeUntil(event, community, new Date(now))}
          </span>
        </h2>
        <h3 dir="auto">
          <Link {...details}>{event.title}</Link>
        </h3>
        <p>
          <time dateTime={event.startDate}>{formats.shortSpan(event)}</time>
          {place && (
            <>
              <br />
              <bdi>{place}</bdi>
            </>
          )}
        </p>
        <div className={styles.ways}>
          {content?.onlineUrl && (
            <Button type="primary" href={content.onlineUrl} target="_blank" rel="noopener noreferrer">
              {text.join}
            </Button>
          )}
          {directions && (
            <Button href={directions} target="_blank" rel="noopener noreferrer nofollow">
              {text.directions}
            </Button>
          )}
          <OwnCode event={event} />
          {!running && (
            <Button type="text" onClick={() => setLeaving(true)}>
              {text.cannotCome}
            </Button>
          )}
        </div>
      </div>
      {leaving && <UnregisterDialog event={event} close={() => setLeaving(false)} />}
    </section>
  );
}
