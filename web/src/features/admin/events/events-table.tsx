import type { Event } from '@meetmark/contracts';
import { adminEventsText as text, adminText } from '@meetmark/i18n/texts/admin';
import { Link } from 'react-router-dom';
import { EmptyState } from '../../../ui/feedback';
import { Badge } from '../../../ui/marks';
import { useFormats } from '../../../ui/use-formats';
import { formatLocation } from '../../events/shared/event';
import { EventMenu } from '../../events/event-menu';
import { hasBegun, useRegistrationState } from '../../events/shared/use-registration-state';
import { EditIcon } from '../../../ui/more-icons';
import { type Column, RowActions, useWideRows } from '../shared/list-table';
import { PagedList, type PagedListProps } from '../shared/paged-list';
import styles from '../shared/admin.module.css';

interface EventsTableProps extends Pick<PagedListProps<Event>, 'pagination' | 'page' | 'selection'> {
  onEdit: (event: Event) => void;
  onDuplicate: (event: Event) => void;
  onDelete: (event: Event) => void;
}

export function EventsTable({ onEdit, onDuplicate, onDelete, ...list }: EventsTableProps) {
  const { count, ...formats } = useFormats();
  const wide = useWideRows();

  const columns: Column<Event>[] = [
    { key: 'title', title: text.event, place: 'lead', cell: (event) => <EventTitle event={event} /> },
    {
      key: 'starts',
      title: text.starts,
      oneLine: true,
      phoneLine: 'fact',
      cell: (event) =>
        event.isAllDay ? formats.eventSpan(event) : formats.eventMoment(event, event.startDate),
    },
    {
      key: 'registered',
      title: text.registered,
      oneLine: true,
      cell: ({ registrationCount, capacity, waitingCount }) => (
        <span>
          {capacity === null
            ? count(registrationCount)
            : text.registeredOf({ count: count(registrationCount), capacity: count(capacity) })}
          {waitingCount > 0 && (
            <span className={styles.waiting}> {text.waiting({ count: count(waitingCount) })}</span>
          )}
        </span>
      ),
    },
    { key: 'price', title: text.price, cell: ({ price }) => formats.price(price) },
    {
      key: 'status',
      title: text.status,
      phoneLine: 'mark',
      cell: (event) => <StatusBadges event={event} />,
    },
    {
      key: 'actions',
      title: adminText.actions,
      place: 'actions',
      cell: (event) => (
        <RowActions
          subject={event.title}
          actions={[
            ...(event.status === 'cancelled'
              ? []
              : [{ label: adminText.edit, icon: <EditIcon />, run: () => onEdit(event) }]),
            ...(wide ? [{ label: adminText.delete, danger: true, run: () => onDelete(event) }] : []),
          ]}
        >
          <EventMenu
            event={event}
            onDuplicate={() => onDuplicate(event)}
            onDelete={wide ? undefined : () => onDelete(event)}
          />
        </RowActions>
      ),
    },
  ];
  return (
    <PagedList
      {...list}
      list={text.list}
      columns={columns}
      compact
      getName={({ title }) => title}
      empty={<EmptyState title={text.empty} />}
    />
  );
}

export function StatusBadges({ event, underWay }: { event: Event; underWay?: string }) {
  const state = useRegistrationState(event);
  return (
    <span className={styles.statuses}>
      {event.status === 'draft' ? (
        <Badge tone="warm">{text.draft}</Badge>
      ) : event.status === 'cancelled' ? (
        <Badge tone="bad">{text.cancelled}</Badge>
      ) : underWay && state === 'started' ? (
        <Badge tone="accent">{underWay}</Badge>
      ) : hasBegun(state) ? (
        <Badge tone="quiet">{text.past}</Badge>
      ) : (
        <Badge tone="good">{text.upcoming}</Badge>
      )}
      {event.visibility === 'unlisted' && <Badge tone="quiet">{text.unlisted}</Badge>}
      {event.seriesId !== null && <Badge tone="quiet">{text.series}</Badge>}
    </span>
  );
}

function EventTitle({ event }: { event: Event }) {
  return (
    <div className={styles.eventTitleWords}>
      <Link to={`/admin/events/${event.id}`} className={styles.title} dir="auto">
        {event.title}
      </Link>
      <p className={styles.place}>{formatLocation(event) ?? text.noLocation}</p>
    </div>
  );
}
