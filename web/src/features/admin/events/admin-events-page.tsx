import type { Event } from '@meetmark/contracts';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useCallback, useState } from 'react';
import { adminEventsText as text } from '../../../strings/admin';
import { eventLifeText } from '../../../strings/event-life';
import { formatText, priceFilterText } from '../../../strings/events';
import { Choice, ChoiceRow, optionsOf } from '../../../ui/choice';
import { PlusIcon } from '../../../ui/icons';
import { lazyDialog } from '../../../ui/lazy';
import { ScreenHeading, usePageTitle } from '../../../ui/screen-heading';
import { SearchBox } from '../../../ui/search-box';
import { useFilters } from '../../../ui/use-filters';
import { CancelEventDialog } from '../../events/event-menu';
import { isOver, useRegistrationState } from '../../events/use-registration-state';
import { ConfirmDialog } from '../shared/confirm-dialog';
import { SelectFilter } from '../shared/list-table';
import { PagedList, usePagination } from '../shared/paged-list';
import toolbar from '../shared/admin.module.css';
import {
  type AdminEventFilters,
  eventsPageQuery,
  firstEventsPath,
  useEventDeletion,
} from './admin-events.api';
import { AttendeesDrawer } from './attendees-drawer';
import { EventsTable } from './events-table';
import { WaitlistDrawer } from './waitlist-drawer';

const EventFormDialog = lazyDialog(() => import('../../events/event-form/event-form'));

const DEFAULTS: AdminEventFilters = { q: '', time: 'all', price: 'all', format: 'all', status: 'all' };
const CHOICES = {
  time: ['all', 'upcoming', 'past'],
  price: ['all', 'free', 'paid'],
  format: ['all', 'in_person', 'online', 'hybrid'],
  status: ['all', 'draft', 'published', 'cancelled'],
} as const;
const TIME_OPTIONS = optionsOf(text.times);
const PRICE_OPTIONS = optionsOf(priceFilterText.options);
const FORMAT_OPTIONS = optionsOf(formatText.filter);

/** What the event form is open for: a new event, a change of one, or a copy of one. */
interface OpenForm {
  event?: Event;
  template?: Event;
}

export function AdminEventsPage() {
  usePageTitle(text.title);
  const [filters, changeFilters] = useFilters(DEFAULTS, CHOICES);
  const pagination = usePagination(firstEventsPath(filters));
  const events = useQuery(eventsPageQuery(pagination.path));
  const remove = useEventDeletion();
  const [form, setForm] = useState<OpenForm | null>(null);
  const [attended, setAttended] = useState<Event | null>(null);
  const [waitedFor, setWaitedFor] = useState<Event | null>(null);
  const [eventToCancel, setEventToCancel] = useState<Event | null>(null);
  const [eventToDelete, setEventToDelete] = useState<Event | null>(null);
  const search = useCallback((q: string) => changeFilters({ q }), [changeFilters]);

  return (
    <>
      <ScreenHeading title={text.title} intro={text.intro}>
        <Button type="primary" icon={<PlusIcon size={18} />} onClick={() => setForm({})}>
          {text.create}
        </Button>
      </ScreenHeading>
      <div className={toolbar.toolbar} role="search">
        <SearchBox
          className={toolbar.search}
          label={text.searchHint}
          placeholder={text.searchHint}
          value={filters.q}
          onSearch={search}
        />
        <ChoiceRow>
          <Choice
            label={text.time}
            value={filters.time}
            options={TIME_OPTIONS}
            change={(time) => changeFilters({ time })}
          />
          <Choice
            label={priceFilterText.label}
            value={filters.price}
            options={PRICE_OPTIONS}
            change={(price) => changeFilters({ price })}
          />
          <Choice
            label={formatText.label}
            value={filters.format}
            options={FORMAT_OPTIONS}
            change={(format) => changeFilters({ format })}
          />
        </ChoiceRow>
        <SelectFilter
          label={text.status}
          value={filters.status}
          options={text.statuses}
          change={(status) => changeFilters({ status })}
        />
      </div>
      <PagedList list={text.list} pagination={pagination} page={events}>
        {(rows, busy) => (
          <EventsTable
            events={rows}
            busy={busy}
            onAttendees={setAttended}
            onEdit={(event) => setForm({ event })}
            onDuplicate={(template) => setForm({ template })}
            onDelete={setEventToDelete}
            onWaitlist={setWaitedFor}
          />
        )}
      </PagedList>

      {form && <EventFormDialog {...form} close={() => setForm(null)} />}
      {attended && <AttendeesDrawer event={attended} close={() => setAttended(null)} />}
      {waitedFor && <WaitlistDrawer event={waitedFor} close={() => setWaitedFor(null)} />}
      {eventToDelete && (
        <DeleteEventDialog
          event={eventToDelete}
          remove={() => void remove(eventToDelete)}
          cancelInstead={() => setEventToCancel(eventToDelete)}
          close={() => setEventToDelete(null)}
        />
      )}
      {eventToCancel && <CancelEventDialog event={eventToCancel} close={() => setEventToCancel(null)} />}
    </>
  );
}

interface DeleteEventDialogProps {
  event: Event;
  remove: () => void;
  cancelInstead: () => void;
  close: () => void;
}

/** Where people count on the event, cancelling it comes first: its page can then tell them. */
function DeleteEventDialog({ event, remove, cancelInstead, close }: DeleteEventDialogProps) {
  const over = isOver(useRegistrationState(event));
  const people = event.registrationCount + event.waitingCount;
  const concerned = event.status === 'published' && !over && people > 0;
  return (
    <ConfirmDialog
      danger
      title={text.deleteTitle}
      question={text.deleteQuestion(event.title)}
      warning={[text.deleteWarning(event.registrationCount), concerned && text.deleteTold(people)]
        .filter(Boolean)
        .join(' ')}
      confirm={text.deleteConfirm}
      onConfirm={remove}
      instead={
        concerned
          ? { label: eventLifeText.cancelInstead, keep: eventLifeText.keep, act: cancelInstead }
          : undefined
      }
      close={close}
    />
  );
}
