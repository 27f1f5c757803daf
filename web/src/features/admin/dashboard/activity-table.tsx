import type { ActivityDay } from '@meetmark/contracts';
import { adminDashboardText as text } from '../../../strings/admin';
import styles from './activity-card.module.css';

/** The chart in words and figures. */
export function ActivityTable({ days }: { days: ActivityDay[] }) {
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
