import type { ActivityDay } from '@meetmark/contracts';
import { adminDashboardText as text } from '@meetmark/i18n/texts/admin';
import { useQuery } from '@tanstack/react-query';
import { Button, Skeleton, theme } from 'antd';
import { useState } from 'react';
import { useCommunity } from '../../../api/community';
import { ErrorState } from '../../../ui/feedback';
import { lazyComponent, ScreenUnavailable } from '../../../ui/lazy';
import { useFormats } from '../../../ui/use-formats';
import type { ActivityChartProps } from './activity-chart';
import { activityQuery } from './dashboard.api';
import styles from './dashboard.module.css';
import { Panel } from './panel';

/** Height in pixels, reserved while the chart loads to avoid layout shifts. */
const CHART_HEIGHT = 280;

export function ActivityCard() {
  const { count } = useFormats();
  const { locale } = useCommunity();
  const { token } = theme.useToken();
  const activity = useQuery(activityQuery);
  const [asTable, setAsTable] = useState(false);
  const days = activity.data && daysIn(locale, activity.data);
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
            <ActivityChart days={days} height={CHART_HEIGHT} words={text} token={token} />
            <div className="visually-hidden">
              <ActivityTable days={days} />
            </div>
          </>
        )}
      </div>
      <footer className={styles.footer}>
        {figures && (
          <>
            <p>{text.total({ total: count(figures.total) })}</p>
            <p>{averageText(figures, count)}</p>
          </>
        )}
      </footer>
    </Panel>
  );
}

/** Translates the names of the days, which the API returns in English. */
export function daysIn(locale: string, days: ActivityDay[]): ActivityDay[] {
  const week = Array.from({ length: 7 }, (_, day) => new Date(Date.UTC(2026, 0, day + 1)));
  const written = (language: string) =>
    new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' }).format;
  const [english, own] = [written('en-US'), written(locale)];
  const names = new Map(week.map((day) => [english(day), own(day)]));
  return days.map((day) => ({ ...day, name: names.get(day.name) ?? day.name }));
}

const ChartSkeleton = () => <Skeleton active title={false} paragraph={{ rows: 6 }} />;

const ActivityChart = lazyComponent<ActivityChartProps>(() => import('./activity-chart'), {
  Failed: ScreenUnavailable,
  waiting: <ChartSkeleton />,
});

function ActivityTable({ days }: { days: ActivityDay[] }) {
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">{text.activity}</caption>
      <thead>
        <tr>
          <th scope="col">{text.dayColumn}</th>
          <th scope="col">{text.registrations}</th>
        </tr>
      </thead>
      <tbody>
        {days.map(({ name, registrations }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{registrations}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface ActivityFigures {
  total: number;
  activeDays: number;
  days: number;
}

export function activityFigures(days: ActivityDay[]): ActivityFigures {
  return {
    total: days.reduce((sum, { registrations }) => sum + registrations, 0),
    activeDays: days.filter(({ registrations }) => registrations > 0).length,
    days: days.length,
  };
}

/** Returns the average per day. If only some days had registrations, adds the average of those days. */
export function averageText(
  { total, activeDays, days }: ActivityFigures,
  count: (n: number) => string,
): string {
  const perDay = count(days === 0 ? 0 : total / days);
  return activeDays === 0 || activeDays === days
    ? text.average({ perDay })
    : text.averageOfActive({ perActiveDay: count(total / activeDays), perDay });
}
