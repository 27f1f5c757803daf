import type { Summary } from '@meetmark/contracts';
import { Skeleton } from 'antd';
import { Link } from 'react-router-dom';
import { adminDashboardText as text, adminEventsText } from '../../../strings/admin';
import { CalendarLeaf } from '../../../ui/marks';
import { EmptyState } from '../../../ui/feedback';
import { useFormats } from '../../../ui/use-formats';
import { useCounts } from '../shared/use-counts';
import styles from './nearest-events.module.css';
import { Panel } from './panel';

/** The three events that start next, and how full they are. */
export function NearestEvents({ summary }: { summary: Summary | undefined }) {
  const formats = useFormats();
  const count = useCounts();
  return (
    <Panel
      title={text.nearest}
      lead={summary && text.nearestOf(summary.nextEvents.length, count(summary.upcomingEvents))}
    >
      {!summary && <Skeleton active paragraph={{ rows: 5 }} />}
      {summary?.nextEvents.length === 0 && <EmptyState title={text.noneAhead} hint={text.noneAheadHint} />}
      <ol className={styles.list}>
        {summary?.nextEvents.map((event) => (
          <li key={event.id} className={styles.event}>
            <CalendarLeaf moment={event.startDate} />
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
        ))}
      </ol>
      <Link className={styles.more} to="/admin/events">
        {text.manageEvents}
      </Link>
    </Panel>
  );
}
