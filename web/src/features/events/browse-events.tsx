import type { Event, EventFaces } from '@meetmark/contracts';
import { browseText, priceFilterText } from '@meetmark/contracts/texts/events';
import { useInfiniteQuery, useQueries } from '@tanstack/react-query';
import { Button } from 'antd';
import { memo, useCallback, useId, useState } from 'react';
import { useCommunity } from '../../api/community';
import type { ListPage } from '../../api/pages';
import { ActionButton } from '../../ui/action-button';
import { type Option, optionsOf } from '../../ui/choice';
import { localDate } from '../../ui/dates';
import { endOfWeek } from '../../ui/weeks';
import { eventDays, eventMonth } from '../../ui/event-days';
import { EmptyState, ErrorState, ShowMore } from '../../ui/feedback';
import { FilterIcon, RefreshIcon } from '../../ui/icons';
import { AgainButton, lazyComponent } from '../../ui/lazy';
import { SearchBox } from '../../ui/search-box';
import { useToasts } from '../../ui/toasts';
import { useFilters } from '../../ui/use-filters';
import { useMedia } from '../../ui/use-media';
import { useNow } from '../../ui/use-now';
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

export const PRICES = optionsOf<PriceFilter>(priceFilterText.options);
export const TIMES = optionsOf<TimeFilter>(browseText.timeOptions);

/** The width from which time and price stand in the row of the search box and the other filters behind 'Filters', as in browse-events.module.css. */
const WIDE = '(min-width: 60em)';

export interface FiltersProps {
  filters: Filters;
  change: (changed: Partial<Filters>) => void;
  /** Whether time and price are seen elsewhere. */
  wide: boolean;
}

const loadFilters = () => import('./event-filters');
const FilterPanel = lazyComponent<FiltersProps & { id: string }>(loadFilters, {
  Failed: AgainButton,
  waiting: null,
});
const AppliedFilters = lazyComponent<FiltersProps>(
  async () => ({ default: (await loadFilters()).AppliedFilters }),
  { Failed: () => null, waiting: <i className={styles.appliedPlace} /> },
);

/** Whether one of these is not as the list begins. */
const isSet = (filters: Filters, ...names: (keyof Filters)[]) =>
  names.some((name) => filters[name] !== ALL_UPCOMING[name]);

/** The public list with search, filters and refresh: on the landing page and at Browse Events. */
export function BrowseEvents({ heading: Heading }: { heading: 'h1' | 'h2' }) {
  const [filters, changeFilters] = useFilters(ALL_UPCOMING, CHOICES);
  const wide = useMedia(WIDE);
  const [choosing, setChoosing] = useState(false);
  const panel = useId();
  const toasts = useToasts();
  const events = useInfiniteQuery(browseEventsQuery(filters));
  const total = events.data?.pages[0]?.total;
  const search = useCallback((q: string) => changeFilters({ q }), [changeFilters]);

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
            onSearch={search}
          />
          {wide && (
            <>
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
            </>
          )}
          <Button
            icon={<FilterIcon size={18} />}
            aria-expanded={choosing}
            aria-controls={choosing ? panel : undefined}
            onClick={() => setChoosing(!choosing)}
          >
            {browseText.filters}
          </Button>
          <ActionButton
            shape={wide ? 'default' : 'circle'}
            icon={<RefreshIcon size={wide ? 18 : 20} />}
            aria-label={browseText.refresh}
            onClick={() => void refresh()}
            inactive={events.isFetching}
          >
            {wide && browseText.refresh}
          </ActionButton>
        </div>
      </div>
      {choosing && <FilterPanel id={panel} filters={filters} change={changeFilters} wide={wide} />}
      {(isSet(filters, 'format', 'topic') || (!wide && isSet(filters, 'price', 'time'))) && (
        <AppliedFilters filters={filters} change={changeFilters} wide={wide} />
      )}
      {events.isPending ? (
        <EventGridSkeleton />
      ) : events.isError && !events.data ? (
        <ErrorState error={events.error} retry={() => void events.refetch()} />
      ) : total === 0 ? (
        <NoEvents filters={filters} change={changeFilters} />
      ) : (
        <>
          <Groups
            pages={events.data.pages}
            upcoming={filters.time === 'upcoming'}
            heading={Heading === 'h1' ? 'h2' : 'h3'}
          />
          <ShowMore query={events} />
        </>
      )}
    </section>
  );
}

interface FilterSelectProps<Value extends string> {
  label: string;
  /** The first is the one that the list begins with. */
  options: readonly Option<Value>[];
  value: Value;
  change: (value: Value) => void;
}

/** A filter of which the value is seen, as small as the buttons beside it. */
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

/** A search without results offers to clear the filters; a community without events says so. */
function NoEvents({ filters, change }: Omit<FiltersProps, 'wide'>) {
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

interface GroupsProps {
  pages: ListPage<Event>[];
  /** Whether the list begins now: then the present week comes first. */
  upcoming: boolean;
  heading: 'h2' | 'h3';
}

/** The cards, the first of each week or month under its name. Does not render again while the same events are fetched again. */
const Groups = memo(function Groups({ pages, upcoming, heading: Heading }: GroupsProps) {
  const groupOf = useGroupNames(upcoming);
  const facesAt = useFaces(pages);
  // Clocks differ: of two events around midnight the first can be in the later month.
  const groups = new Map<string, Event[]>();
  for (const event of pages.flatMap(({ items }) => items)) {
    const group = groupOf(event);
    groups.set(group, [...(groups.get(group) ?? []), event]);
  }
  const placed = [...groups].flatMap(([group, events]) =>
    events.map((event, n) => ({ event, title: n === 0 ? group : null })),
  );
  return (
    <EventGrid>
      {placed.map(({ event, title }) => (
        <li key={event.id} className={styles.place}>
          {title !== null && <Heading className={styles.group}>{title}</Heading>}
          <EventCard
            event={event}
            faces={facesAt(event.id)}
            heading={Heading === 'h2' ? 'h3' : 'h4'}
            action={<RegisterButton event={event} named />}
          />
        </li>
      ))}
    </EventGrid>
  );
});

/** Who comes to the events of each page, for members: asked for once a page. */
function useFaces(pages: ListPage<Event>[]): (eventId: string) => EventFaces['faces'] | undefined {
  const { user } = useSession();
  return useQueries({
    queries: pages
      .map(({ items }) => items.filter(({ registrationCount }) => registrationCount > 0).map(({ id }) => id))
      .filter((eventIds) => user !== null && eventIds.length > 0)
      .map(facesQuery),
    combine: facesOf,
  });
}

const facesOf = (answers: { data?: EventFaces[] }[]) => {
  const known = new Map(
    answers.flatMap(({ data = [] }) => data.map(({ eventId, faces }) => [eventId, faces])),
  );
  return (eventId: string) => known.get(eventId);
};

/** Characters of '2026-11'. */
const MONTH = 7;

/** 'This week', 'Later in November', 'December', 'January 2027'. */
function useGroupNames(upcoming: boolean): (event: Event) => string {
  const community = useCommunity();
  const now = new Date(useNow());
  const weekEnd = endOfWeek(now, community.locale);
  return (event) => {
    const month = eventMonth(event, community, now);
    if (!upcoming) return month;
    const { first } = eventDays(event, community);
    if (first < localDate(weekEnd)) return browseText.thisWeek;
    return first.slice(0, MONTH) === localDate(now).slice(0, MONTH) ? browseText.laterIn({ month }) : month;
  };
}
