import type { Event, EventFaces } from '@meetmark/contracts';
import { browseText, priceFilterText } from '@meetmark/i18n/texts/events';
import { useInfiniteQuery, useQueries } from '@tanstack/react-query';
import { Button } from 'antd';
import { memo, useId, useState } from 'react';
import type { ListPage } from '../../api/pages';
import { ActionButton } from '../../ui/action-button';
import { type Option, toOptions } from '../../ui/choice';
import { EmptyState, ErrorState, ShowMore } from '../../ui/feedback';
import { RefreshIcon } from '../../ui/icons';
import { FilterIcon } from '../../ui/more-icons';
import { lazyComponent, lazyPart } from '../../ui/lazy';
import { SearchBox } from '../../ui/search-box';
import { useToasts } from '../../ui/toasts';
import { useFilters } from '../../ui/use-filters';
import { useSession } from '../auth/session';
import styles from './browse-events.module.css';
import { EventCard, EventGrid, EventGridSkeleton } from './shared/event-card';
import {
  ALL_UPCOMING,
  browseEventsQuery,
  type EventFilters as Filters,
  facesQuery,
  type PriceFilter,
  type TimeFilter,
} from './shared/events.api';
import { RegisterButton } from '../registrations/register-button';

const CHOICES = {
  price: ['all', 'free', 'paid'],
  time: ['upcoming', 'past', 'all'],
  format: ['all', 'in_person', 'online', 'hybrid'],
  topic: { includes: (slug: string) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug) },
} as const;

const PRICES = toOptions<PriceFilter>(priceFilterText.options);
const TIMES = toOptions<TimeFilter>(browseText.timeOptions);

export interface FiltersProps {
  filters: Filters;
  change: (changed: Partial<Filters>) => void;
}

const loadFilters = () => import('./event-filters');
const FilterPanel = lazyPart<FiltersProps & { id: string }>(loadFilters);
const AppliedFilters = lazyComponent<FiltersProps>(
  async () => ({ default: (await loadFilters()).AppliedFilters }),
  { Failed: () => null, waiting: <i className={styles.appliedPlace} /> },
);

const isSet = (filters: Filters, ...names: (keyof Filters)[]) =>
  names.some((name) => filters[name] !== ALL_UPCOMING[name]);

export function BrowseEvents({ heading: Heading }: { heading: 'h1' | 'h2' }) {
  const [filters, changeFilters] = useFilters(ALL_UPCOMING, CHOICES);
  const [choosing, setChoosing] = useState(false);
  const panel = useId();
  const toasts = useToasts();
  const events = useInfiniteQuery(browseEventsQuery(filters));
  const total = events.data?.pages[0]?.total;

  const refresh = async () => {
    const { isError } = await events.refetch();
    if (isError) toasts.error(browseText.refreshFailed, browseText.refreshFailedDetail);
    else toasts.success(browseText.refreshed, browseText.refreshedDetail);
  };

  return (
    <section aria-labelledby="browse-title" className={styles.section}>
      <div className={styles.head}>
        <Heading id="browse-title" className={styles.title}>
          {browseText.title}
        </Heading>
        <p className={styles.count} role="status">
          {total !== undefined && browseText.found({ count: total })}
        </p>
        <div className={styles.tools} role="search">
          <SearchBox
            className={styles.search}
            label={browseText.search}
            placeholder={browseText.searchPlaceholder}
            value={filters.q}
            onSearch={(q) => changeFilters({ q })}
          />
          <FilterSelect
            label={browseText.timeFilter}
            options={TIMES}
            value={filters.time}
            change={(time) => changeFilters({ time })}
          />
          <FilterSelect
            label={priceFilterText.label}
            options={PRICES}
            value={filters.price}
            change={(price) => changeFilters({ price })}
          />
          <ActionButton
            icon={<RefreshIcon size={18} />}
            onClick={() => void refresh()}
            inactive={events.isFetching}
          >
            {browseText.refresh}
          </ActionButton>
          <Button
            icon={<FilterIcon size={18} />}
            aria-expanded={choosing}
            aria-controls={choosing ? panel : undefined}
            onClick={() => setChoosing(!choosing)}
          >
            {browseText.filters}
          </Button>
        </div>
      </div>
      {choosing && <FilterPanel id={panel} filters={filters} change={changeFilters} />}
      {isSet(filters, 'format', 'topic') && <AppliedFilters filters={filters} change={changeFilters} />}
      {events.isPending ? (
        <EventGridSkeleton />
      ) : events.isError && !events.data ? (
        <ErrorState error={events.error} retry={() => void events.refetch()} />
      ) : total === 0 ? (
        <NoEvents filters={filters} change={changeFilters} />
      ) : (
        <>
          <Cards pages={events.data.pages} heading={Heading === 'h1' ? 'h2' : 'h3'} />
          <ShowMore query={events} />
        </>
      )}
    </section>
  );
}

interface FilterSelectProps<Value extends string> {
  label: string;
  options: readonly Option<Value>[];
  value: Value;
  change: (value: Value) => void;
}

export function FilterSelect<Value extends string>({
  label,
  options,
  value,
  change,
}: FilterSelectProps<Value>) {
  return (
    <select
      className={styles.select}
      data-set={value !== options[0]?.value || undefined}
      aria-label={label}
      value={value}
      onChange={({ target }) => change(target.value as Value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

function NoEvents({ filters, change }: FiltersProps) {
  const { time } = filters;
  if (isSet(filters, 'q', 'price', 'format', 'topic'))
    return (
      <EmptyState title={browseText.empty} hint={browseText.emptyHint}>
        <Button onClick={() => change(ALL_UPCOMING)}>{browseText.clearFilters}</Button>
      </EmptyState>
    );
  return (
    <EmptyState title={browseText.empty} hint={browseText.noneYet[time]}>
      {time === 'upcoming' && <Button onClick={() => change({ time: 'past' })}>{browseText.seePast}</Button>}
    </EmptyState>
  );
}

interface CardsProps {
  pages: ListPage<Event>[];
  heading: 'h2' | 'h3';
}

const Cards = memo(function Cards({ pages, heading }: CardsProps) {
  const facesAt = useFaces(pages);
  return (
    <EventGrid>
      {pages
        .flatMap(({ items }) => items)
        .map((event) => (
          <li key={event.id}>
            <EventCard
              event={event}
              faces={facesAt(event.id)}
              heading={heading}
              action={<RegisterButton event={event} named browse />}
            />
          </li>
        ))}
    </EventGrid>
  );
});

function useFaces(pages: ListPage<Event>[]): (eventId: string) => EventFaces['faces'] | undefined {
  const { user } = useSession();
  return useQueries({
    queries: pages
      .map(({ items }) => items.filter(({ registrationCount }) => registrationCount > 0).map(({ id }) => id))
      .filter((eventIds) => user !== null && eventIds.length > 0)
      .map(facesQuery),
    combine: collectFaces,
  });
}

const collectFaces = (answers: { data?: EventFaces[] }[]) => {
  const known = new Map(
    answers.flatMap(({ data = [] }) => data.map(({ eventId, faces }) => [eventId, faces])),
  );
  return (eventId: string) => known.get(eventId);
};
