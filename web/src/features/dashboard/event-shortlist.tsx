import { useQuery } from '@tanstack/react-query';
import { dashboardText as text } from '../../strings/dashboard';
import { Badge } from '../../ui/marks';
import { CardSkeleton, EmptyState, ErrorState } from '../../ui/feedback';
import { EventRow } from '../events/event-row';
import { shortlistQuery } from './dashboard-figures';
import styles from './dashboard.module.css';

export function EventShortlist({ time, empty }: { time: 'upcoming' | 'past'; empty: string }) {
  const { data: page, error, refetch } = useQuery(shortlistQuery(time));
  if (error && !page) return <ErrorState error={error} retry={() => void refetch()} />;
  if (!page) return <CardSkeleton />;
  if (page.items.length === 0) return <EmptyState title={empty} />;
  return (
    <ul className={styles.rows}>
      {page.items.map((event) => (
        <li key={event.id}>
          <EventRow event={event}>{time === 'past' && <Badge tone="quiet">{text.completed}</Badge>}</EventRow>
        </li>
      ))}
    </ul>
  );
}
