import { firstGrapheme } from '@meetmark/contracts/first-grapheme';
import type { ReactNode } from 'react';
import type { EventTimes } from './event-times';
import styles from './marks.module.css';
import { useFormats } from './use-formats';

export interface AvatarPerson {
  firstName?: string | null;
  lastName?: string | null;
  email?: string | null;
  profileImageUrl?: string | null;
}

function getInitials({ firstName, lastName, email }: AvatarPerson): string {
  const first = firstName?.trim();
  const last = lastName?.trim();
  if (first && last) return (firstGrapheme(first) + firstGrapheme(last)).toUpperCase();
  return email ? email.slice(0, 2).toUpperCase() : 'U';
}

/** Decorative, because the person's name is shown next to the avatar or is in a label. */
export function Avatar({ person, size = 40 }: { person: AvatarPerson; size?: number }) {
  const measure = { width: size, height: size, fontSize: size * 0.38 };
  return person.profileImageUrl ? (
    <img
      className={styles.avatar}
      src={person.profileImageUrl}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      style={measure}
    />
  ) : (
    <span className={styles.avatar} style={measure} aria-hidden="true">
      {getInitials(person)}
    </span>
  );
}

export type BadgeTone = 'good' | 'warm' | 'quiet' | 'accent' | 'bad';

export const Badge = ({ tone, children }: { tone: BadgeTone; children: ReactNode }) => (
  <span className={styles.badge} data-tone={tone}>
    {children}
  </span>
);

interface CalendarLeafProps {
  event: Omit<EventTimes, 'endDate'>;
  className?: string;
}

/** Decorative: the screen also shows the date as text. */
export function CalendarLeaf({ event, className }: CalendarLeafProps) {
  const { month, day } = useFormats().calendarLeaf(event);
  return (
    <span className={className ? `${styles.leaf} ${className}` : styles.leaf} aria-hidden="true">
      <span>{month}</span>
      <strong>{day}</strong>
    </span>
  );
}
