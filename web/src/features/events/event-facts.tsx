import type { Event } from '@meetmark/contracts';
import type { ReactNode } from 'react';
import { detailsText, eventText } from '../../strings/events';
import { CalendarIcon, ClockIcon, CoinIcon, PeopleIcon, PinIcon, TicketIcon } from '../../ui/icons';
import { useFormats } from '../../ui/use-formats';
import styles from './event-facts.module.css';
import { placeOf } from './event-format';

export function EventFacts({ event }: { event: Event }) {
  const formats = useFormats();
  return (
    <dl className={styles.facts}>
      <Fact icon={<ClockIcon />} name={detailsText.dateTime}>
        <time dateTime={event.startDate}>{formats.eventSpan(event)}</time>
      </Fact>
      <Fact icon={<PinIcon />} name={detailsText.location}>
        {placeOf(event) ?? detailsText.noLocation}
      </Fact>
      <Fact icon={<PeopleIcon />} name={detailsText.capacity}>
        {event.capacity === null
          ? detailsText.unlimited
          : eventText.places(event.registrationCount, event.capacity)}
      </Fact>
      <Fact icon={<CoinIcon />} name={detailsText.price}>
        {formats.price(event.price)}
      </Fact>
      <Fact icon={<TicketIcon />} name={detailsText.eventType}>
        {event.isAllDay ? detailsText.allDay : detailsText.timed}
      </Fact>
      <Fact icon={<CalendarIcon />} name={detailsText.created}>
        <time dateTime={event.createdAt}>{formats.shortDate(event.createdAt)}</time>
      </Fact>
    </dl>
  );
}

function Fact({ icon, name, children }: { icon: ReactNode; name: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      {icon}
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
