import type { Event } from '@meetmark/contracts';
import { calendarText as text } from '@meetmark/i18n/texts/calendar';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useCommunity } from '../../api/community';
import { eventMonth } from '../../ui/event-days';
import { EmptyState, ErrorState, ShowMore } from '../../ui/feedback';
import { useFormats } from '../../ui/use-formats';
import { EventRow, EventRowSkeletons } from '../events/shared/event-row';
import { browseEventsQuery, NOT_ENDED } from '../events/shared/events.api';
import { RegisterButton } from '../registrations/register-button';
import styles from './calendar-screen.module.css';

export function Agenda() {
  const formats = useFormats();
  const community = useCommunity();
  const events = useInfiniteQuery(browseEventsQuery(NOT_ENDED));
  if (events.isPending) return <EventRowSkeletons count={6} />;
  const all = events.data?.pages.flatMap((page) => page.items) ?? [];
  if (events.isError && all.length === 0)
    return <ErrorState error={events.error} retry={() => void events.refetch()} />;
  if (all.length === 0) return <EmptyState title={text.noEventsAhead} hint={text.noEventsAheadHint} />;
  const months = byMonth(all, (event) => eventMonth(event, community));
  return (
    <>
      {[...months].map(([month, inMonth]) => (
        <section key={month} className={styles.month} aria-label={month}>
          <h2>{month}</h2>
          <ul>
            {inMonth.map((event) => (
              <li key={event.id}>
                <EventRow event={event}>
                  <span className={styles.price}>{formats.price(event.price)}</span>
                  <RegisterButton event={event} named />
                </EventRow>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <ShowMore query={events} />
    </>
  );
}

function byMonth(events: Event[], getName: (event: Event) => string): Map<string, Event[]> {
  const months = new Map<string, Event[]>();
  for (const event of events) {
    const name = getName(event);
    months.set(name, [...(months.get(name) ?? []), event]);
  }
  return months;
}
