import type { Event } from '@meetmark/contracts';
import { calendarText as text } from '@meetmark/i18n/texts/calendar';
import { Link } from 'react-router-dom';
import { useCommunity } from '../../api/community';
import { type EventDays, partOnDay } from '../../ui/event-days';
import { useFormats } from '../../ui/use-formats';
import { useNow } from '../../ui/use-now';
import { useDetailsLink } from '../events/shared/use-details-link';
import type { CalendarDay } from './month';
import styles from './month-grid.module.css';

const SHOWN_PER_DAY = 3;

interface DatedEvent {
  event: Event;
  days: EventDays;
}

interface MonthGridProps {
  weeks: CalendarDay[][];
  events: DatedEvent[];
  loading: boolean;
  chosen: CalendarDay | null;
  choose: (day: CalendarDay) => void;
}

export function MonthGrid({ weeks, events, loading, chosen, choose }: MonthGridProps) {
  const { locale } = useCommunity();
  const formats = useFormats();
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short' });
  const today = new Date(useNow()).toDateString();
  return (
    <table className={styles.grid} aria-busy={loading}>
      <thead>
        <tr>
          {weeks[0]?.map(({ start }) => (
            <th key={start.getDay()} scope="col">
              {weekday.format(start)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]?.start.toISOString()}>
            {week.map((day) => {
              const onDay = events.filter(({ days }) => partOnDay(days, day));
              return (
                <td
                  key={day.start.toISOString()}
                  data-outside={!day.inMonth || undefined}
                  data-today={day.start.toDateString() === today || undefined}
                >
                  <span className={styles.number}>{day.start.getDate()}</span>
                  <button
                    type="button"
                    className={styles.tap}
                    aria-label={text.eventsOn({ day: formats.longDate(day.start), count: onDay.length })}
                    aria-pressed={chosen?.start.getTime() === day.start.getTime()}
                    onClick={() => choose(day)}
                  >
                    <span>{day.start.getDate()}</span>
                    {onDay.length > 0 && <i aria-hidden="true" />}
                  </button>
                  <ul className={styles.events}>
                    {onDay.slice(0, SHOWN_PER_DAY).map((dated) => (
                      <li key={dated.event.id}>
                        <DayEvent {...dated} day={day} />
                      </li>
                    ))}
                  </ul>
                  {onDay.length > SHOWN_PER_DAY && (
                    <button type="button" className={styles.more} onClick={() => choose(day)}>
                      {text.more({ count: onDay.length - SHOWN_PER_DAY })}
                    </button>
                  )}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function DayEvent({ event, days, day }: DatedEvent & { day: CalendarDay }) {
  const formats = useFormats();
  const place = partOnDay(days, day);
  const time = event.isAllDay || (place && place.day > 1) ? null : formats.eventHours(event, event.startDate);
  const part = place && place.of > 1 ? text.dayOf({ day: place.day, of: place.of }) : null;
  return (
    <Link
      {...useDetailsLink(event.id)}
      className={styles.event}
      title={part ? `${event.title}, ${part}` : event.title}
    >
      {time && <span>{time} </span>}
      {part && !time && place && <span aria-hidden="true">{`${place.day}/${place.of} `}</span>}
      <strong dir="auto">{event.title}</strong>
      {part && <span className="visually-hidden">, {part}</span>}
    </Link>
  );
}
