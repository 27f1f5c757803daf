import type { Event } from '@meetmark/contracts';
import { myEventsText } from '@meetmark/i18n/texts/calendar';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useNavigate } from 'react-router-dom';
import { useCommunity } from '../../api/community';
import { Choice, toOptions } from '../../ui/choice';
import { EmptyState, ErrorState } from '../../ui/feedback';
import { Badge } from '../../ui/marks';
import { ScreenHeading, usePageTitle } from '../../ui/screen-heading';
import { isFree } from '../../ui/price';
import { useFilters } from '../../ui/use-filters';
import { useFormats } from '../../ui/use-formats';
import { useNow } from '../../ui/use-now';
import { hasEnded, getPaymentNote } from '../events/shared/event';
import { hasBegun, useRegistrationState } from '../events/shared/use-registration-state';
import { EventCard, EventGrid, EventGridSkeleton } from '../events/shared/event-card';
import type { TimeFilter } from '../events/shared/events.api';
import styles from './my-events.module.css';
import { RegisterButton } from './register-button';
import OwnCode from './own-code';
import { myEventsQuery } from './registrations.api';
import { UnregisterButton } from './unregister-button';

const FILTERS = toOptions<TimeFilter>(myEventsText.filters);
const INITIAL: { time: TimeFilter } = { time: 'upcoming' };
const CHOICES = { time: ['upcoming', 'past', 'all'] } as const;

export default function MyEventsScreen() {
  usePageTitle(myEventsText.title);
  const [{ time }, changeFilters] = useFilters(INITIAL, CHOICES);
  const now = useNow();
  const { data: mine, error, refetch } = useQuery(myEventsQuery);
  return (
    <>
      <ScreenHeading title={myEventsText.title} intro={myEventsText.intro}>
        <Choice
          label={myEventsText.filter}
          options={FILTERS}
          value={time}
          change={(chosen) => changeFilters({ time: chosen })}
        />
      </ScreenHeading>
      {mine ? (
        <MyEventCards events={eventsInTime(mine, time, now)} time={time} />
      ) : error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <EventGridSkeleton />
      )}
    </>
  );
}

function MyEventCards({ events, time }: { events: Event[]; time: TimeFilter }) {
  const navigate = useNavigate();
  if (events.length === 0)
    return (
      <EmptyState title={myEventsText.empty[time]} hint={myEventsText.emptyHint}>
        <Button type="primary" onClick={() => void navigate('/')}>
          {myEventsText.browse}
        </Button>
      </EmptyState>
    );
  return (
    <EventGrid>
      {events.map((event) => (
        <li key={event.id}>
          <EventCard
            event={event}
            heading="h2"
            badge={<MyBadge event={event} />}
            note={<Payment event={event} />}
            action={<MyAction event={event} />}
          />
        </li>
      ))}
    </EventGrid>
  );
}

/** Shows 'Completed' even for a running event. The card marks a running event separately. */
function MyBadge({ event }: { event: Event }) {
  const state = useRegistrationState(event);
  if (state === 'cancelled') return <Badge tone="bad">{myEventsText.cancelled}</Badge>;
  if (hasBegun(state)) return <Badge tone="quiet">{myEventsText.completed}</Badge>;
  if (event.waiting) return <Badge tone="warm">{myEventsText.waiting}</Badge>;
  return <Badge tone="good">{myEventsText.upcoming}</Badge>;
}

function Payment({ event }: { event: Event }) {
  const formats = useFormats();
  const community = useCommunity();
  const state = useRegistrationState(event);
  if (isFree(event.price) || state === 'cancelled' || state === 'ended') return null;
  return (
    <p className={styles.payment}>
      <strong>{formats.price(event.price)}</strong> <span dir="auto">{getPaymentNote(event, community)}</span>
    </p>
  );
}

const MyAction = ({ event }: { event: Event }) => (
  <span className={styles.actions}>
    {event.waiting ? <RegisterButton event={event} named /> : <OwnCode event={event} named />}
    <UnregisterButton event={event} named />
  </span>
);

export function eventsInTime<Dated extends Pick<Event, 'startDate' | 'endDate'>>(
  events: readonly Dated[],
  time: TimeFilter,
  now: number,
): Dated[] {
  const chosen = events.filter((event) => time === 'all' || hasEnded(event, now) === (time === 'past'));
  const direction = time === 'past' ? -1 : 1;
  return chosen.sort((a, b) => direction * (Date.parse(a.startDate) - Date.parse(b.startDate)));
}
