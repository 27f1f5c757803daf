import { useQuery } from '@tanstack/react-query';
import { adminDashboardText as text } from '../../../strings/admin';
import { ErrorState } from '../../../ui/feedback';
import { ScreenHeading, usePageTitle } from '../../../ui/screen-heading';
import { ActivityCard } from './activity-card';
import { summaryQuery } from './dashboard.api';
import styles from './dashboard-page.module.css';
import { NearestEvents } from './nearest-events';
import { SummaryCards } from './summary-cards';

export function DashboardPage() {
  usePageTitle(text.title);
  const summary = useQuery(summaryQuery);
  return (
    <>
      <ScreenHeading title={text.title} intro={text.intro} />
      {summary.isError && !summary.data ? (
        <ErrorState error={summary.error} retry={() => void summary.refetch()} />
      ) : (
        <SummaryCards summary={summary.data} />
      )}
      <div className={styles.columns}>
        <ActivityCard />
        {!(summary.isError && !summary.data) && <NearestEvents summary={summary.data} />}
      </div>
    </>
  );
}
