import type { Event } from '@meetmark/contracts';
import { adminEventsText as text, adminText } from '@meetmark/i18n/texts/admin';
import { formatText, priceFilterText } from '@meetmark/i18n/texts/events';
import { importsText } from '@meetmark/i18n/texts/imports';
import { adminTopicsText } from '@meetmark/i18n/texts/topics';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useCommunity } from '../../../api/community';
import { Choice, ChoiceRow, toOptions } from '../../../ui/choice';
import { DownloadIcon, PlusIcon } from '../../../ui/more-icons';
import { lazyDialog } from '../../../ui/lazy';
import { LinkButton } from '../../../ui/link-button';
import { useFilters } from '../../../ui/use-filters';
import { useMember } from '../../auth/session';
import { AdminHeading } from '../shared/admin-heading';
import { ListToolbar, SelectFilter } from '../shared/list-table';
import { usePagination } from '../shared/paged-list';
import { type AdminEventFilters, eventsPageQuery, firstEventsPath } from './admin-events.api';
import { fileDate, saveCsv, toCsv } from '../shared/csv';
import { SelectionBar, useSelection } from '../shared/selection';
import { DeleteEventDialog } from './delete-event-dialog';
import { EventsTable } from './events-table';

const ImportDialog = lazyDialog(() => import('../imports/import-dialog'));
const EventFormDialog = lazyDialog(() => import('../../events/event-form/event-form'));

const DEFAULTS: AdminEventFilters = { q: '', time: 'all', price: 'all', format: 'all', status: 'all' };
const CHOICES = {
  time: ['all', 'upcoming', 'past'],
  price: ['all', 'free', 'paid'],
  format: ['all', 'in_person', 'online', 'hybrid'],
  status: ['all', 'draft', 'published', 'cancelled'],
} as const;
const TIME_OPTIONS = toOptions(text.times);
const PRICE_OPTIONS = toOptions(priceFilterText.options);

interface OpenForm {
  event?: Event;
  template?: Event;
}

export function AdminEventsPage() {
  const { isAdmin } = useMember();
  const [filters, changeFilters] = useFilters(DEFAULTS, CHOICES);
  const pagination = usePagination(firstEventsPath(filters, !isAdmin));
  const events = useQuery(eventsPageQuery(pagination.path));
  const selection = useSelection<Event>();
  const [importing, setImporting] = useState(false);
  const [form, setForm] = useState<OpenForm | null>(null);
  const [eventToDelete, setEventToDelete] = useState<Event | null>(null);

  return (
    <>
      <AdminHeading panel="events" text={text}>
        {isAdmin && <LinkButton to="/admin/topics">{adminTopicsText.title}</LinkButton>}
        <Button onClick={() => setImporting(true)}>{importsText.open}</Button>
        <Button type="primary" icon={<PlusIcon size={18} />} onClick={() => setForm({})}>
          {text.create}
        </Button>
      </AdminHeading>
      <ListToolbar hint={text.searchHint} q={filters.q} change={changeFilters}>
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
        </ChoiceRow>
        <SelectFilter
          label={formatText.label}
          value={filters.format}
          options={formatText.filter}
          change={(format) => changeFilters({ format })}
        />
        <SelectFilter
          label={text.status}
          value={filters.status}
          options={text.statuses}
          change={(status) => changeFilters({ status })}
        />
      </ListToolbar>
      <EventsTable
        pagination={pagination}
        page={events}
        selection={selection}
        onEdit={(event) => setForm({ event })}
        onDuplicate={(template) => setForm({ template })}
        onDelete={setEventToDelete}
      />

      <p className="soft small">
        {text.exportAll}{' '}
        <a href="/api/admin/events/export.csv" download>
          {text.exportCsv}
        </a>
        {' · '}
        <a href="/api/admin/events/export.ics" download>
          {text.exportCalendar}
        </a>
      </p>
      <SelectionBar list={text.list} selection={selection}>
        <WithChosen events={selection.rows} />
      </SelectionBar>
      {form && <EventFormDialog {...form} close={() => setForm(null)} />}
      {importing && <ImportDialog close={() => setImporting(false)} />}
      {eventToDelete && <DeleteEventDialog event={eventToDelete} close={() => setEventToDelete(null)} />}
    </>
  );
}

function WithChosen({ events }: { events: Event[] }) {
  const { locale } = useCommunity();
  const navigate = useNavigate();
  const [only] = events.length === 1 ? events : [];
  return (
    <>
      {only && (
        <Button type="primary" onClick={() => void navigate(`/admin/events/${only.id}/messages`)}>
          {text.message}
        </Button>
      )}
      <Button
        icon={<DownloadIcon size={18} />}
        onClick={() => saveCsv(`events-${fileDate()}.csv`, eventsCsv(events, locale))}
      >
        {adminText.exportSelected}
      </Button>
    </>
  );
}

const { csv: words } = text;

export const eventsCsv = (events: Event[], locale: string): string =>
  toCsv(
    events.map((event) => ({
      [words.id]: event.id,
      [words.title]: event.title,
      [words.status]: event.status,
      [words.starts]: event.startDate,
      [words.ends]: event.endDate,
      [words.location]: event.location ?? '',
      [words.price]: event.price ?? '',
      [words.registered]: String(event.registrationCount),
      [words.waiting]: String(event.waitingCount),
      [words.capacity]: event.capacity === null ? '' : String(event.capacity),
    })),
    locale,
  );
