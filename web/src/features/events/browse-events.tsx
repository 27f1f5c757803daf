import type { Event } from '@meetmark/contracts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { memo, useCallback } from 'react';
import type { ListPage } from '../../api/pages';
import { browseText, formatText, priceFilterText } from '../../strings/events';
import { ActionButton } from '../../ui/action-button';
import { Choice, ChoiceRow, optionsOf } from '../../ui/choice';
import { EmptyState, ErrorState, ShowMore } from '../../ui/feedback';
import { RefreshIcon } from '../../ui/icons';
import { SearchBox } from '../../ui/search-box';
import { useToasts } from '../../ui/toasts';
import { useFilters } from '../../ui/use-filters';
import styles from './browse-events.module.css';
import { EventCard, EventGrid, EventGridSkeleton } from './event-card';
import type { FormatFilter } from './event';
import {
  browseEventsQuery,
  type EventFilters as Filters,
  type PriceFilter,
  type TimeFilter,
} from './events.api';
import { RegisterButton } from '../registrations/register-button';

const INITIAL: Filters = { q: '', price: 'all', time: 'upcoming', format: 'all' };
const CHOICES = {
  price: ['all', 'free', 'paid'],
  time: ['upcoming', 'past', 'all'],
  format: ['all', 'in_person', 'online', 'hybrid'],
} as const;

/** The public list with search, filters and refresh: on the landing page and at Browse Events. */
export function BrowseEvents({ heading: Heading }: { heading: 'h1' | 'h2' }) {
  const [filters, changeFilters] = useFilters(INITIAL, CHOICES);
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
        <div className={styles.words}>
          <Heading id="browse-title" className={styles.title}>
            {browseText.title}
          </Heading>
          <p className={styles.intro}>{browseText.intro}</p>
        </div>
        <div className={styles.tools}>
          <p className={styles.count} role="status">
            {total !== undefined && browseText.found(total)}
          </p>
          <ActionButton icon={<RefreshIcon />} onClick={() => void refresh()} inactive={events.isFetching}>
            {browseText.refresh}
          </ActionButton>
        </div>
      </div>
      <EventFilters filters={filters} change={changeFilters} />
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

interface NoEventsProps {
  filters: Filters;
  change: (changed: Partial<Filters>) => void;
}

/** A search without results offers to clear the filters; a community without events says so. */
function NoEvents({ filters: { q, price, format, time }, change }: NoEventsProps) {
  if (q !== '' || price !== 'all' || format !== 'all')
    return (
      <EmptyState title={browseText.empty} hint={browseText.emptyHint}>
        <Button onClick={() => change(INITIAL)}>{browseText.clearFilters}</Button>
      </EmptyState>
    );
  return (
    <EmptyState title={browseText.empty} hint={browseText.noneYet[time]}>
      {time === 'upcoming' && <Button onClick={() => change({ time: 'past' })}>{browseText.seePast}</Button>}
    </EmptyState>
  );
}

/** Does not render again while the same events are fetched again. */
const Cards = memo(function Cards({ pages, heading }: { pages: ListPage<Event>[]; heading: 'h2' | 'h3' }) {
  return (
    <EventGrid>
      {pages
        .flatMap(({ items }) => items)
        .map((event) => (
          <li key={event.id}>
            <EventCard event={event} heading={heading} action={<RegisterButton event={event} named />} />
          </li>
        ))}
    </EventGrid>
  );
});

const PRICES = optionsOf<PriceFilter>(priceFilterText.options);
const FORMATS = optionsOf<FormatFilter>(formatText.filter);
const TIMES = optionsOf<TimeFilter>(browseText.timeOptions);

interface EventFiltersProps {
  filters: Filters;
  change: (changed: Partial<Filters>) => void;
}

function EventFilters({ filters, change }: EventFiltersProps) {
  const search = useCallback((q: string) => change({ q }), [change]);
  return (
    <div className={styles.filters} role="search">
      <SearchBox
        className={styles.search}
        label={browseText.search}
        placeholder={browseText.searchPlaceholder}
        value={filters.q}
        onSearch={search}
      />
      <ChoiceRow>
        <Choice
          label={priceFilterText.label}
          options={PRICES}
          value={filters.price}
          change={(price) => change({ price })}
        />
        <Choice
          label={browseText.timeFilter}
          options={TIMES}
          value={filters.time}
          change={(time) => change({ time })}
        />
        <Choice
          label={formatText.label}
          options={FORMATS}
          value={filters.format}
          change={(format) => change({ format })}
        />
      </ChoiceRow>
    </div>
  );
}
