import { calendarText as text } from '@meetmark/i18n/texts/calendar';
import { monthSpan } from '@meetmark/contracts/zones';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useCommunity } from '../../api/community';
import { firstDayOfWeek } from '../../ui/weeks';
import { ErrorState } from '../../ui/feedback';
import { ChevronLeftIcon, ChevronRightIcon } from '../../ui/icons';
import { eventDays, partOnDay } from '../../ui/event-days';
import { useFormats } from '../../ui/use-formats';
import { useNow } from '../../ui/use-now';
import { useQueryChange } from '../../ui/use-query-change';
import { EventRow } from '../events/shared/event-row';
import { eventsBetweenQuery } from '../events/shared/events.api';
import { addMonths, type CalendarDay, monthKey, parseMonth, buildWeeks } from './month';
import { MonthGrid } from './month-grid';
import styles from './month-calendar.module.css';

export function MonthCalendar() {
  const community = useCommunity();
  const formats = useFormats();
  const [search] = useSearchParams();
  const changeQuery = useQueryChange();
  const month = parseMonth(search.get('month'), new Date(useNow()));
  const [chosen, setChosen] = useState<CalendarDay | null>(null);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (chosen) list.current?.focus();
  }, [chosen]);
  const weeks = buildWeeks(month, firstDayOfWeek(community.locale));
  const {
    data: events,
    error,
    refetch,
  } = useQuery(eventsBetweenQuery(monthSpan(month.getFullYear(), month.getMonth())));

  const goTo = (next: Date) => {
    setChosen(null);
    changeQuery((query) => query.set('month', monthKey(next)), { replace: true });
  };
  const dated = (events ?? []).map((event) => ({ event, days: eventDays(event, community) }));
  const shown = dated.filter(({ days }) =>
    chosen
      ? partOnDay(days, chosen)
      : weeks.some((week) => week.some((day) => day.inMonth && partOnDay(days, day))),
  );
  return (
    <section aria-labelledby="month-title">
      <div className={styles.bar}>
        <h2 id="month-title" aria-live="polite">
          {formats.monthTitle(month)}
        </h2>
        <div className={styles.steps}>
          <Button onClick={() => goTo(new Date())}>{text.today}</Button>
          <Button
            shape="circle"
            icon={<ChevronLeftIcon />}
            aria-label={text.previousMonth}
            onClick={() => goTo(addMonths(month, -1))}
          />
          <Button
            shape="circle"
            icon={<ChevronRightIcon />}
            aria-label={text.nextMonth}
            onClick={() => goTo(addMonths(month, 1))}
          />
        </div>
      </div>
      {error && !events ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <>
          <MonthGrid weeks={weeks} events={dated} loading={!events} chosen={chosen} choose={setChosen} />
          <div ref={list} tabIndex={-1} className={styles.list} data-chosen={chosen !== null || undefined}>
            {chosen && <h3>{formats.longDate(chosen.start)}</h3>}
            {events && shown.length === 0 && (
              <p className={styles.none}>{chosen ? text.noEventsOnDay : text.noEventsInMonth}</p>
            )}
            {shown.map(({ event }) => (
              <EventRow key={event.id} event={event} day={chosen ?? undefined} />
            ))}
          </div>
        </>
      )}
    </section>
  );
}
