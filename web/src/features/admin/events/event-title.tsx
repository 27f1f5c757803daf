import type { Event } from '@meetmark/contracts';
import { Link } from 'react-router-dom';
import { adminEventsText as text } from '../../../strings/admin';
import { placeOf } from '../../events/event-format';
import { useDetailsLink } from '../../events/use-details-link';
import styles from './event-title.module.css';

/** The title, which opens the details that members see, and where it is. */
export function EventTitle({ event }: { event: Event }) {
  return (
    <div className={styles.words}>
      <Link className={styles.title} to={useDetailsLink(event.id)} dir="auto">
        {event.title}
      </Link>
      <p className={styles.place}>{placeOf(event) ?? text.noLocation}</p>
    </div>
  );
}
