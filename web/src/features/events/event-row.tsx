import type { Event } from '@meetmark/contracts';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { CalendarLeaf } from '../../ui/marks';
import { useFormats } from '../../ui/use-formats';
import { placeOf } from './event';
import styles from './event-row.module.css';
import { useDetailsLink } from './use-details-link';

/** An event on one line, with its date as the leaf of a calendar; the title opens the details. */
export function EventRow({ event, children }: { event: Event; children?: ReactNode }) {
  const formats = useFormats();
  const details = useDetailsLink(event.id);
  const place = placeOf(event);
  return (
    <article className={styles.row}>
      <CalendarLeaf moment={event.startDate} />
      <div className={styles.words}>
        <h3 dir="auto">
          <Link {...details}>{event.title}</Link>
        </h3>
        <p>
          <time dateTime={event.startDate}>{formats.eventSpan(event)}</time>
          {place && (
            <span>
              {' · '}
              <bdi>{place}</bdi>
            </span>
          )}
        </p>
      </div>
      {children && <div className={styles.side}>{children}</div>}
    </article>
  );
}
