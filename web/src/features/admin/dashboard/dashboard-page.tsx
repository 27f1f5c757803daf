import type { Summary } from '@meetmark/contracts';
import { adminDashboardText as text, adminEventsText } from '@meetmark/contracts/texts/admin';
import { useQuery } from '@tanstack/react-query';
import { Skeleton } from 'antd';
import { Link } from 'react-router-dom';
import { EmptyState, ErrorState } from '../../../ui/feedback';
import { CalendarLeaf } from '../../../ui/marks';
import { ScreenHeading, usePageTitle } from '../../../ui/screen-heading';
import { useFormats } from '../../../ui/use-formats';
import { HelpButton } from '../../help/help-button';
import { ActivityCard } from './activity-card';
import { summaryQuery } from './dashboard.api';
import styles from './dashboard.module.css';
import { FirstMonth } from './first-month';
import { Panel } from './panel';
import { SummaryCards } from './summary-cards';

export function DashboardPage() {
  usePageTitle(text.title);
  const summary = useQuery(summaryQuery);
  return (
    <>
      <ScreenHeading
        title={text.title}
        intro={text.intro}
        help={<HelpButton panel="figures" title={text.title} />}
      />
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

/** The three events that start next, and how full they are. */
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
      <ol className={styles.list}>
        {summary?.nextEvents.map((event) => (
          <li key={event.id} className={styles.event}>
            <CalendarLeaf event={event} />
            <div className={styles.words}>
              <Link to={`/admin/events/${event.id}`} className={styles.title}>
                {event.title}
              </Link>
              <p className={styles.soft}>{formats.eventStart(event)}</p>
              <p className={styles.soft}>
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
