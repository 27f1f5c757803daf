import type { Event } from '@meetmark/contracts';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useCallback, useState } from 'react';
import { adminEventsText as text } from '../../../strings/admin';
import { ErrorState } from '../../../ui/error-state';
import { PlusIcon } from '../../../ui/icons';
import { Choice } from '../shared/choice';
import { DeleteDialog } from '../shared/delete-dialog';
import { PageHeading } from '../shared/page-heading';
import { Pager } from '../shared/pager';
import { SearchBox } from '../shared/search-box';
import toolbar from '../shared/toolbar.module.css';
import { useCounts } from '../shared/use-counts';
import { useFilters } from '../shared/use-filters';
import { usePageWalk } from '../shared/use-page-walk';
import { type AdminEventFilters, eventsPageQuery, firstEventsPath } from './admin-events.api';
import { AttendeesDrawer } from './attendees-drawer';
import { EventsTable } from './events-table';
import { useEventDeletion } from './use-event-deletion';

const DEFAULTS: AdminEventFilters = { q: '', time: 'all', price: 'all' };
const CHOICES = { time: ['all', 'upcoming', 'past'], price: ['all', 'free', 'paid'] } as const;

export function AdminEventsPage() {
  const count = useCounts();
  const [filters, changeFilters] = useFilters(DEFAULTS, CHOICES);
  const walk = usePageWalk(firstEventsPath(filters));
  const events = useQuery(eventsPageQuery(walk.path));
  const remove = useEventDeletion();
  const [attended, setAttended] = useState<Event | null>(null);
  const [doomed, setDoomed] = useState<Event | null>(null);
  const search = useCallback((q: string) => changeFilters({ q }), [changeFilters]);

  return (
    <>
      <PageHeading title={text.title} lead={events.data && text.lead(count(events.data.total))}>
        <Button type="primary" icon={<PlusIcon size={18} />}>
          {text.create}
        </Button>
      </PageHeading>
      <div className={toolbar.toolbar} role="search">
        <SearchBox label={text.searchHint} value={filters.q} onSearch={search} />
        <Choice
          label={text.time}
          value={filters.time}
          options={text.times}
          onChange={(time) => changeFilters({ time })}
        />
        <Choice
          label={text.price}
          value={filters.price}
          options={text.prices}
          onChange={(price) => changeFilters({ price })}
        />
      </div>
      {events.isError && !events.data ? (
        <ErrorState error={events.error} retry={() => void events.refetch()} />
      ) : (
        <EventsTable
          events={events.data?.items}
          busy={events.isPlaceholderData}
          onAttendees={setAttended}
          onEdit={() => undefined}
          onDuplicate={() => undefined}
          onDelete={setDoomed}
        />
      )}
      {events.data && <Pager list={text.list} walk={walk} data={events.data} />}

      <AttendeesDrawer event={attended} onClose={() => setAttended(null)} />
      <DeleteDialog
        subject={doomed}
        title={text.deleteTitle}
        question={({ title }) => text.deleteQuestion(title)}
        warning={({ registrationCount }) => text.deleteWarning(registrationCount)}
        confirm={text.deleteConfirm}
        onConfirm={(event) => void remove(event)}
        onClose={() => setDoomed(null)}
      />
    </>
  );
}
