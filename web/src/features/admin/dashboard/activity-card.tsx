import { useQuery } from '@tanstack/react-query';
import { Button, Skeleton } from 'antd';
import { useState } from 'react';
import { adminDashboardText as text } from '../../../strings/admin';
import { ErrorState } from '../../../ui/feedback';
import { lazyComponent } from '../../../ui/lazy';
import { useBackOnline } from '../../../ui/offline';
import { useCounts } from '../shared/use-counts';
import styles from './activity-card.module.css';
import { activityFigures, averageText } from './activity-figures';
import { ActivityTable } from './activity-table';
import { CHART_HEIGHT } from './chart-height';
import { activityQuery } from './dashboard.api';
import { Panel } from './panel';

/** Registration Activity: the last 7 days as a chart or as a table, the total and the average. */
export function ActivityCard() {
  const count = useCounts();
  const activity = useQuery(activityQuery);
  const [asTable, setAsTable] = useState(false);
  const days = activity.data;
  const figures = days && activityFigures(days);
  return (
    <Panel
      title={text.activity}
      lead={text.activityLead}
      action={
        <Button aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {text.showTable}
        </Button>
      }
    >
      <div className={styles.body} style={{ minHeight: CHART_HEIGHT }}>
        {activity.isError && !days ? (
          <ErrorState error={activity.error} retry={() => void activity.refetch()} />
        ) : !days ? (
          <ChartSkeleton />
        ) : asTable ? (
          <ActivityTable days={days} />
        ) : (
          <>
            <ActivityChart days={days} />
            <div className="visually-hidden">
              <ActivityTable days={days} />
            </div>
          </>
        )}
      </div>
      <footer className={styles.footer}>
        {figures && (
          <>
            <p>{text.total(count(figures.total))}</p>
            <p>{averageText(figures, count)}</p>
          </>
        )}
      </footer>
    </Panel>
  );
}

const ChartSkeleton = () => <Skeleton active title={false} paragraph={{ rows: 6 }} />;

const ActivityChart = lazyComponent(() => import('./activity-chart'), {
  Failed: ChartUnavailable,
  waiting: <ChartSkeleton />,
});

function ChartUnavailable({ again }: { again: () => void }) {
  useBackOnline(again);
  return <ErrorState error={null} retry={again} />;
}
