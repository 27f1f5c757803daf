import styles from './calendar-leaf.module.css';
import { useFormats } from './use-formats';

/** The day of a moment as a leaf torn off a calendar. An ornament: whoever shows it says the date in words as well. */
export function CalendarLeaf({ moment, className }: { moment: string; className?: string }) {
  const { month, day } = useFormats().calendarLeaf(moment);
  return (
    <span className={className ? `${styles.leaf} ${className}` : styles.leaf} aria-hidden="true">
      <span>{month}</span>
      <strong>{day}</strong>
    </span>
  );
}
