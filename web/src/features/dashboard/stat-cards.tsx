import { useQuery } from '@tanstack/react-query';
import { dashboardText as text } from '../../strings/dashboard';
import { useFormats } from '../../ui/use-formats';
import { createdThisMonthQuery, eventsThisMonthQuery, shortlistQuery } from './dashboard-figures';
import styles from './dashboard.module.css';

/** Three figures; a dash where one could not be read (the lists below offer to try again). */
export function StatCards() {
  const formats = useFormats();
  const now = new Date();
  const upcoming = useQuery(shortlistQuery('upcoming')).data?.total;
  const past = useQuery(shortlistQuery('past')).data?.total;
  const created = useQuery(createdThisMonthQuery(now)).data?.total;
  const thisMonth = useQuery(eventsThisMonthQuery(now)).data?.total;
  const total = upcoming === undefined || past === undefined ? undefined : upcoming + past;
  return (
    <ul className={styles.stats}>
      <Stat
        name={text.totalEvents}
        value={total}
        caption={created === undefined ? '\u00a0' : text.createdThisMonth(created)}
      />
      <Stat name={text.upcomingEvents} value={upcoming} caption={text.upcomingCaption} />
      <Stat
        name={text.thisMonth}
        value={thisMonth}
        caption={text.thisMonthCaption(formats.monthTitle(now))}
      />
    </ul>
  );
}

function Stat({ name, value, caption }: { name: string; value: number | undefined; caption: string }) {
  return (
    <li className={styles.stat}>
      <p className={styles.statName}>{name}</p>
      <p className={styles.statValue}>{value ?? text.unknown}</p>
      <p className={styles.statCaption}>{caption}</p>
    </li>
  );
}
