import type { Event } from '@meetmark/contracts';
import { Link } from 'react-router-dom';
import { adminEventsText as text, adminText } from '../../../strings/admin';
import { EmptyState } from '../../../ui/feedback';
import { Badge } from '../../../ui/marks';
import { useFormats } from '../../../ui/use-formats';
import { useNow } from '../../../ui/use-now';
import { hasStarted, placeOf } from '../../events/event';
import { useDetailsLink } from '../../events/use-details-link';
import { type Column, ListTable, RowActions } from '../shared/list-table';
import styles from '../shared/admin.module.css';

interface EventsTableProps {
  events: Event[] | undefined;
  busy: boolean;
  onAttendees: (event: Event) => void;
  onEdit: (event: Event) => void;
  onDuplicate: (event: Event) => void;
  onDelete: (event: Event) => void;
}

export function EventsTable(props: EventsTableProps) {
  const { events, busy, onAttendees, onEdit, onDuplicate, onDelete } = props;
  const { count, ...formats } = useFormats();
  const now = useNow();

  const columns: Column<Event>[] = [
    { key: 'title', title: text.event, place: 'lead', cell: (event) => <EventTitle event={event} /> },
    {
      key: 'starts',
      title: text.starts,
      oneLine: true,
      cell: ({ startDate }) => formats.dateTime(startDate),
    },
    {
      key: 'registered',
      title: text.registered,
      oneLine: true,
      cell: ({ registrationCount, capacity }) =>
        capacity === null
          ? count(registrationCount)
          : text.registeredOf(count(registrationCount), count(capacity)),
    },
    { key: 'price', title: text.price, cell: ({ price }) => formats.price(price) },
    {
      key: 'status',
      title: text.status,
      cell: (event) =>
        hasStarted(event, now) ? (
          <Badge tone="quiet">{text.past}</Badge>
        ) : (
          <Badge tone="good">{text.upcoming}</Badge>
        ),
    },
    {
      key: 'actions',
      title: adminText.actions,
      place: 'actions',
      cell: (event) => (
        <RowActions
          subject={event.title}
          actions={[
            { label: text.attendees, run: () => onAttendees(event) },
            { label: text.duplicate, run: () => onDuplicate(event) },
            { label: adminText.edit, run: () => onEdit(event) },
            { label: adminText.delete, danger: true, run: () => onDelete(event) },
          ]}
        />
      ),
    },
  ];
  return (
    <ListTable
      caption={text.list}
      columns={columns}
      rows={events}
      busy={busy}
      empty={<EmptyState title={text.empty} />}
    />
  );
}

/** The title, which opens the details that members see, and where it is. */
function EventTitle({ event }: { event: Event }) {
  return (
    <div className={styles.eventTitleWords}>
      <Link {...useDetailsLink(event.id)} className={styles.title} dir="auto">
        {event.title}
      </Link>
      <p className={styles.place}>{placeOf(event) ?? text.noLocation}</p>
    </div>
  );
}
