import type { Event } from '@meetmark/contracts';
import { Button } from 'antd';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useCommunity } from '../../api/community';
import { detailsText } from '../../strings/event-page';
import { CalendarIcon, ChevronDownIcon } from '../../ui/icons';
import { daysLater, wallClock } from '../../ui/zoned-time';
import styles from './event-details.module.css';
import { placeOf } from './event';

/** What the button of a mail leads to. */
const FROM_MAIL = '#add-to-calendar';

interface AddToCalendarProps {
  event: CalendarEvent;
  /** Whether it looks like a link among words. */
  plain?: boolean;
}

/** A button that unfolds the three ways into a calendar. */
export function AddToCalendar({ event, plain = false }: AddToCalendarProps) {
  const { origin } = window.location;
  const { timeZone } = useCommunity();
  const [open, setOpen] = useState(() => window.location.hash === FROM_MAIL);
  const whole = useRef<HTMLSpanElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const menuId = useId();
  useEffect(() => {
    if (!open) return undefined;
    const listening = new AbortController();
    const leave = ({ target }: globalThis.Event) => {
      if (!whole.current?.contains(target as Node)) setOpen(false);
    };
    for (const type of ['pointerdown', 'focusin'])
      document.addEventListener(type, leave, { signal: listening.signal });
    return () => listening.abort();
  }, [open]);
  // Before the dialog around it hears it: Escape closes the innermost thing.
  const escape = (key: KeyboardEvent) => {
    if (key.key !== 'Escape' || !open) return;
    key.stopPropagation();
    setOpen(false);
    button.current?.focus();
  };
  const links = [
    { label: detailsText.ics, href: icsLink(event.id), download: true },
    { label: detailsText.google, href: googleLink(event, origin, timeZone) },
    { label: detailsText.outlook, href: outlookLink(event, origin, timeZone) },
  ];
  return (
    <span ref={whole} className={styles.calendars} onKeyDown={escape}>
      <Button
        ref={button}
        type={plain ? 'link' : 'default'}
        className={plain ? styles.plain : undefined}
        icon={plain ? undefined : <CalendarIcon size={18} />}
        aria-expanded={open}
        aria-controls={open ? menuId : undefined}
        onClick={() => setOpen(!open)}
      >
        {detailsText.addToCalendar}
        <ChevronDownIcon size={16} />
      </Button>
      {open && (
        <ul id={menuId} className={styles.calendarLinks}>
          {links.map(({ label, href, download }) => (
            <li key={label}>
              <a
                href={href}
                {...(download ? { download } : { target: '_blank', rel: 'noopener noreferrer' })}
              >
                {label}
              </a>
            </li>
          ))}
        </ul>
      )}
    </span>
  );
}

/** Longer descriptions make addresses that calendars refuse. */
const DESCRIPTION_IN_LINK = 800;

type CalendarEvent = Pick<
  Event,
  'id' | 'title' | 'description' | 'location' | 'format' | 'startDate' | 'endDate' | 'isAllDay'
>;

/** '20261121T090000Z' */
const compact = (moment: string) => new Date(moment).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');

/** The first day, and the day after the last, of an event for whole days. */
function wholeDays({ startDate, endDate }: CalendarEvent, timeZone: string): [string, string] {
  const last = wallClock(Math.max(Date.parse(startDate), Date.parse(endDate) - 1), timeZone).date;
  return [wallClock(startDate, timeZone).date, daysLater(last, 1)];
}

const notes = ({ id, description }: CalendarEvent, origin: string) =>
  [description?.slice(0, DESCRIPTION_IN_LINK), `${origin}/events/${id}`].filter(Boolean).join('\n\n');

const icsLink = (id: string) => `/api/events/${id}/calendar.ics`;

export function googleLink(event: CalendarEvent, origin: string, timeZone: string): string {
  const dates = event.isAllDay
    ? wholeDays(event, timeZone).map((date) => date.replaceAll('-', ''))
    : [compact(event.startDate), compact(event.endDate)];
  return `https://calendar.google.com/calendar/render?${new URLSearchParams({
    action: 'TEMPLATE',
    text: event.title,
    dates: dates.join('/'),
    details: notes(event, origin),
    location: placeOf(event) ?? '',
  })}`;
}

export function outlookLink(event: CalendarEvent, origin: string, timeZone: string): string {
  const [startdt, enddt] = event.isAllDay
    ? wholeDays(event, timeZone)
    : ([event.startDate, event.endDate] as const);
  return `https://outlook.live.com/calendar/0/deeplink/compose?${new URLSearchParams({
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: event.title,
    startdt,
    enddt,
    ...(event.isAllDay && { allday: 'true' }),
    body: notes(event, origin),
    location: placeOf(event) ?? '',
  })}`;
}
