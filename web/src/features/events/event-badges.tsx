import type { Event } from '@meetmark/contracts';
import { eventText, formatText } from '../../strings/events';
import { Badge, type BadgeTone } from '../../ui/marks';
import { isFree } from '../../ui/price';
import { useFormats } from '../../ui/use-formats';
import { useNow } from '../../ui/use-now';
import styles from './event-badges.module.css';
import { type EventStatus, statusOf } from './event-status';

const STATUS: Record<EventStatus, { tone: BadgeTone; words: string }> = {
  past: { tone: 'quiet', words: eventText.pastEvent },
  full: { tone: 'warm', words: eventText.fullyBooked },
  now: { tone: 'accent', words: eventText.happeningNow },
  open: { tone: 'good', words: eventText.openForRegistration },
};

export function EventBadges({ event }: { event: Event }) {
  const formats = useFormats();
  const status = STATUS[statusOf(event, useNow())];
  return (
    <p className={styles.badges}>
      <Badge tone={status.tone}>{status.words}</Badge>
      <Badge tone="quiet">{formatText.names[event.format]}</Badge>
      <Badge tone="quiet">{isFree(event.price) ? eventText.freeEvent : formats.price(event.price)}</Badge>
    </p>
  );
}
