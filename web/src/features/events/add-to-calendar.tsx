import type { Event } from '@meetmark/contracts';
import { Button } from 'antd';
import { detailsText } from '../../strings/events';
import { CalendarIcon } from '../../ui/icons';
import styles from './event-details.module.css';
import { placeOf } from './event';

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

/** Longer descriptions make addresses that calendars refuse. */
const DESCRIPTION_IN_LINK = 800;

type CalendarEvent = Pick<
  Event,
  'id' | 'title' | 'description' | 'location' | 'format' | 'startDate' | 'endDate'
>;

/** '20261121T090000Z' */
const compact = (moment: string) => new Date(moment).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');

const notes = ({ id, description }: CalendarEvent, origin: string) =>
  [description?.slice(0, DESCRIPTION_IN_LINK), `${origin}/events/${id}`].filter(Boolean).join('\n\n');

const icsLink = (id: string) => `/api/events/${id}/calendar.ics`;

function googleLink(event: CalendarEvent, origin: string): string {
  return `https://calendar.google.com/calendar/render?${new URLSearchParams({
    action: 'TEMPLATE',
    text: event.title,
    dates: `${compact(event.startDate)}/${compact(event.endDate)}`,
    details: notes(event, origin),
    location: placeOf(event) ?? '',
  })}`;
}

function outlookLink(event: CalendarEvent, origin: string): string {
  return `https://outlook.live.com/calendar/0/deeplink/compose?${new URLSearchParams({
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: event.title,
    startdt: event.startDate,
    enddt: event.endDate,
    body: notes(event, origin),
    location: placeOf(event) ?? '',
  })}`;
}
