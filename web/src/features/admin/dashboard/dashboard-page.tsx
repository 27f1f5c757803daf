import type { Summary } from '@meetmark/contracts';
import { adminDashboardText as text, adminEventsText } from '@meetmark/i18n/texts/admin';
import { useQuery } from '@tanstack/react-query';
import { Skeleton } from 'antd';
import { Link } from 'react-router-dom';
import { EmptyState, ErrorState } from '../../../ui/feedback';
import { CalendarLeaf } from '../../../ui/marks';
import { useFormats } from '../../../ui/use-formats';
import { AdminHeading } from '../shared/admin-heading';
import { ActivityCard } from './activity-card';
import { summaryQuery } from './dashboard.api';
import styles from './dashboard.module.css';
import { FirstMonth } from './first-month';
import { Panel } from './panel';
import { SummaryCards } from './summary-cards';

export function DashboardPage() {
  const summary = useQuery(summaryQuery);
  return (
    <>
      <AdminHeading panel="figures" text={text} />
      {summary.isError && !summary.data ? (
        <ErrorState error={summary.error} retry={() => void summary.refetch()} />
      ) : (
        <SummaryCards summary={summary.data} />
      )}
      <div className={styles.columns}>
        <ActivityCard />
        {!(summary.isError && !summary.data) && <NearestEvents summary={summary.data} />}
      </div>
      <FirstMonth />
    </>
  );
}

function NearestEvents({ summary }: { summary: Summary | undefined }) {
  const { count, ...formats } = useFormats();
  return (
    <Panel
      title={text.nearest}
      lead={
        summary && text.nearestOf({ shown: summary.nextEvents.length, total: count(summary.upcomingEvents) })
      }
    >
      {!summary && <Skeleton active paragraph={{ rows: 5 }} />}
      {summary?.nextEvents.length === 0 && <EmptyState title={text.noneAhead} hint={text.noneAheadHint} />}
      <ol className="grid gap-4">
        {summary?.nextEvents.map((event) => (
          <li key={event.id} className={styles.event}>
            <CalendarLeaf event={event} />
            <div className="min-0">
              <Link to={`/admin/events/${event.id}`} className={styles.title}>
                {event.title}
              </Link>
              <p className="soft small">{formats.eventStart(event)}</p>
              <p className="soft small">
                {text.registered({
                  count:
                    event.capacity === null
                      ? count(event.registrationCount)
                      : adminEventsText.registeredOf({
                          count: count(event.registrationCount),
                          capacity: count(event.capacity),
                        }),
                })}
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
