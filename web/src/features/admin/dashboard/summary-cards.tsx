import type { Summary } from '@meetmark/contracts';
import { Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { adminDashboardText as text } from '../../../strings/admin';
import { CalendarIcon, ClockIcon, PeopleIcon, PlusIcon } from '../../../ui/icons';
import { useFormats } from '../../../ui/use-formats';
import styles from './dashboard.module.css';

/** The four figures at the top of the dashboard. */
export function SummaryCards({ summary }: { summary: Summary | undefined }) {
  const { count } = useFormats();
  const figures = summary && summaryFigures(summary);
  return (
    <ul className={styles.cards} aria-label={text.summary} aria-busy={!figures}>
      <Card
        icon={<CalendarIcon />}
        title={text.totalEvents}
        figure={figures && count(figures.totalEvents)}
        note={figures && text.eventsPerMonth(count(figures.eventsPerMonth))}
      />
      <Card
        icon={<PeopleIcon />}
        title={text.activeUsers}
        figure={figures && count(figures.activeUsers)}
        note={figures && text.usersPerWeek(count(figures.usersPerWeek))}
      />
      <Card
        icon={<ClockIcon />}
        title={text.upcomingEvents}
        figure={figures && count(figures.upcomingEvents)}
        note={figures && text.eventsPerWeek(count(figures.eventsPerWeek))}
      />
      <Card
        icon={<PlusIcon />}
        title={text.eventsThisMonth}
        figure={figures && count(figures.eventsThisMonth)}
        note={text.lastThirtyDays}
      />
    </ul>
  );
}

interface CardProps {
  icon: ReactNode;
  title: string;
  /** Undefined until it is known. */
  figure: string | undefined;
  note: string | undefined;
}

function Card({ icon, title, figure, note }: CardProps) {
  return (
    <li className={styles.card}>
      <h2 className={styles.cardTitle}>
        <span className={styles.icon}>{icon}</span>
        {title}
      </h2>
      {figure === undefined ? (
        <Skeleton active title={false} paragraph={{ rows: 2, width: ['40%', '80%'] }} />
      ) : (
        <>
          <p className={styles.figure}>{figure}</p>
          <p className={styles.note}>{note}</p>
        </>
      )}
    </li>
  );
}

/** The weeks of a month, and the weeks over which upcoming events are spread. */
const WEEKS_PER_MONTH = 4.3;
const WEEKS_AHEAD = 2;

/** The four cards: what each counts, and its approximate rate. */
export const summaryFigures = (summary: Summary) => ({
  totalEvents: summary.totalEvents,
  eventsPerMonth: summary.eventsThisMonth,
  activeUsers: summary.totalUsers,
  usersPerWeek: summary.newUsers / WEEKS_PER_MONTH,
  /** Counts only the nearest few: the answer holds no more. */
  upcomingEvents: summary.nextEvents.length,
  eventsPerWeek: summary.nextEvents.length / WEEKS_AHEAD,
  eventsThisMonth: summary.eventsThisMonth,
});
