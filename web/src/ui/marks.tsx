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

/** Initials of both names, else the first two letters of the email, else 'U'. */
function initialsOf({ firstName, lastName, email }: AvatarPerson): string {
  const first = firstName?.trim();
  const last = lastName?.trim();
  if (first && last) return (firstLetter(first) + firstLetter(last)).toUpperCase();
  return email ? email.slice(0, 2).toUpperCase() : 'U';
}

// The spread keeps a letter outside the basic plane whole.
const firstLetter = (word: string) => [...word][0] ?? '';

/** Decorative: the name stands beside it or in the label of the control around it. */
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
      {initialsOf(person)}
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

/** The day on which an event starts as a leaf torn off a calendar. Decorative: the screen says the date in words as well. */
export function CalendarLeaf({ event, className }: CalendarLeafProps) {
  const { month, day } = useFormats().calendarLeaf(event);
  return (
    <span className={className ? `${styles.leaf} ${className}` : styles.leaf} aria-hidden="true">
      <span>{month}</span>
      <strong>{day}</strong>
    </span>
  );
}
