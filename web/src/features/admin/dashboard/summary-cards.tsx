import type { Summary } from '@meetmark/contracts';
import { adminDashboardText as text } from '@meetmark/i18n/texts/admin';
import { useQuery } from '@tanstack/react-query';
import { Skeleton } from 'antd';
import { type ReactNode, useState } from 'react';
import { CalendarIcon, ClockIcon, PeopleIcon } from '../../../ui/icons';
import { PlusIcon } from '../../../ui/more-icons';
import { useFormats } from '../../../ui/use-formats';
import { dashboardEventsQuery } from '../../events/shared/events.api';
import styles from './dashboard.module.css';

export function SummaryCards({ summary }: { summary: Summary | undefined }) {
  const { count } = useFormats();
  const [now] = useState(Date.now);
  const { data: soon } = useQuery(soonQuery(now));
  const figures = summary && summaryFigures(summary, soon?.total);
  return (
    <ul className={styles.cards} aria-label={text.summary} aria-busy={!figures}>
      <Card
        icon={<CalendarIcon />}
        title={text.totalEvents}
        figure={figures && count(figures.totalEvents)}
        note={figures && text.eventsPerMonth({ figure: count(figures.eventsPerMonth) })}
      />
      <Card
        icon={<PeopleIcon />}
        title={text.activeUsers}
        figure={figures && count(figures.activeUsers)}
        note={figures && text.usersPerWeek({ figure: count(figures.usersPerWeek) })}
      />
      <Card
        icon={<ClockIcon />}
        title={text.upcomingEvents}
        figure={figures && count(figures.upcomingEvents)}
        note={
          figures?.eventsPerWeek === undefined
            ? '\u00a0'
            : text.eventsPerWeek({ figure: count(figures.eventsPerWeek) })
        }
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

/** Asks for a page of one event, because only the total is needed. */
const soonQuery = (now: number) =>
  dashboardEventsQuery({
    status: 'published',
    from: new Date(now).toISOString(),
    until: new Date(now + WEEKS_AHEAD * WEEK).toISOString(),
    limit: 1,
  });

const WEEKS_PER_MONTH = 4.3;
const WEEKS_AHEAD = 2;
const WEEK = 7 * 24 * 3_600_000;

export const summaryFigures = (summary: Summary, soon: number | undefined) => ({
  totalEvents: summary.totalEvents,
  eventsPerMonth: summary.eventsThisMonth,
  activeUsers: summary.totalUsers,
  usersPerWeek: summary.newUsers / WEEKS_PER_MONTH,
  upcomingEvents: summary.upcomingEvents,
  eventsPerWeek: soon === undefined ? undefined : soon / WEEKS_AHEAD,
  eventsThisMonth: summary.eventsThisMonth,
});
