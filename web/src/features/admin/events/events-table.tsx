import type { Event } from '@meetmark/contracts';
import { adminEventsText as text, adminText } from '../../../strings/admin';
import { Badge } from '../../../ui/marks';
import { EmptyState } from '../../../ui/feedback';
import { useFormats } from '../../../ui/use-formats';
import { useNow } from '../../../ui/use-now';
import { hasStarted } from '../../events/event-status';
import { type Column, ListTable } from '../shared/list-table';
import { RowActions } from '../shared/row-actions';
import { useCounts } from '../shared/use-counts';
import { EventTitle } from './event-title';

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
  const formats = useFormats();
  const count = useCounts();
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
