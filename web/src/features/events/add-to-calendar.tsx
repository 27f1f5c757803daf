import type { Event } from '@meetmark/contracts';
import { Button } from 'antd';
import { detailsText } from '../../strings/events';
import { CalendarIcon } from '../../ui/icons';
import styles from './event-badges.module.css';
import { googleLink, icsLink, outlookLink } from './calendar-links';

export function AddToCalendar({ event }: { event: Event }) {
  const { origin } = window.location;
  return (
    <p className={styles.badges}>
      <Button href={icsLink(event.id)} icon={<CalendarIcon size={18} />} download>
        {detailsText.ics}
      </Button>
      <Button href={googleLink(event, origin)} target="_blank" rel="noopener noreferrer">
        {detailsText.google}
      </Button>
      <Button href={outlookLink(event, origin)} target="_blank" rel="noopener noreferrer">
        {detailsText.outlook}
      </Button>
    </p>
  );
}
