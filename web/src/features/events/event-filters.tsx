import { useCallback } from 'react';
import { browseText, formatText, priceFilterText } from '../../strings/events';
import { Choice, ChoiceRow, optionsOf } from '../../ui/choice';
import { SearchBox } from '../../ui/search-box';
import type { FormatFilter } from './event-format';
import type { EventFilters as Filters, PriceFilter, TimeFilter } from './events.api';
import styles from './event-filters.module.css';

const PRICES = optionsOf<PriceFilter>(priceFilterText.options);
const FORMATS = optionsOf<FormatFilter>(formatText.filter);
const TIMES = optionsOf<TimeFilter>(browseText.timeOptions);

interface EventFiltersProps {
  filters: Filters;
  change: (changed: Partial<Filters>) => void;
}

export function EventFilters({ filters, change }: EventFiltersProps) {
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
