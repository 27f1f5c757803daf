import type { Summary } from '@meetmark/contracts';
import { Skeleton } from 'antd';
import { Link } from 'react-router-dom';
import { adminDashboardText as text } from '../../../strings/admin-dashboard';
import { adminEventsText } from '../../../strings/admin-events';
import { EmptyState } from '../../../ui/empty-state';
import { useFormats } from '../../../ui/use-formats';
import { useCounts } from '../shared/use-counts';
import styles from './nearest-events.module.css';

/** The three events that start next, and how full they are. */
export function NearestEvents({ summary }: { summary: Summary | undefined }) {
  const formats = useFormats();
  const count = useCounts();
  return (
    <section className={styles.card} aria-labelledby="nearest-heading">
      <header className={styles.header}>
        <h2 id="nearest-heading">{text.nearest}</h2>
        {summary && (
          <p className={styles.soft}>
            {text.nearestOf(summary.nextEvents.length, count(summary.upcomingEvents))}
          </p>
        )}
      </header>
      {!summary && <Skeleton active paragraph={{ rows: 5 }} />}
      {summary?.nextEvents.length === 0 && <EmptyState title={text.noneAhead} hint={text.noneAheadHint} />}
      <ol className={styles.list}>
        {summary?.nextEvents.map((event) => {
          const leaf = formats.calendarLeaf(event.startDate);
          return (
            <li key={event.id} className={styles.event}>
              <p className={styles.leaf} aria-hidden="true">
                <span>{leaf.month}</span>
                <strong>{leaf.day}</strong>
              </p>
              <div className={styles.words}>
                <p className={styles.title}>{event.title}</p>
                <p className={styles.soft}>{formats.shortMoment(event.startDate)}</p>
                <p className={styles.soft}>
                  {adminEventsText.registered}:{' '}
                  {event.capacity === null
                    ? count(event.registrationCount)
                    : adminEventsText.registeredOf(count(event.registrationCount), count(event.capacity))}
                </p>
              </div>
            </li>
          );
        })}
      </ol>
      <Link className={styles.more} to="/admin/events">
        {text.manageEvents}
      </Link>
    </section>
  );
}
