import { useQuery } from '@tanstack/react-query';
import { adminDashboardText as text } from '../../../strings/admin';
import { ErrorState } from '../../../ui/error-state';
import { PageHeading } from '../shared/page-heading';
import { ActivityCard } from './activity-card';
import { summaryQuery } from './dashboard.api';
import styles from './dashboard-page.module.css';
import { NearestEvents } from './nearest-events';
import { SummaryCards } from './summary-cards';

export function DashboardPage() {
  const summary = useQuery(summaryQuery);
  return (
    <>
      <PageHeading title={text.title} lead={text.lead} />
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
