import { useEffect, useState } from 'react';
import { formatText } from '../../strings/event-format';
import { browseText, priceFilterText } from '../../strings/events';
import { Choice, optionsOf } from '../../ui/choice';
import { ChoiceRow } from '../../ui/choice-row';
import { SearchInput } from '../../ui/search-input';
import type { FormatFilter } from './event-format';
import type { EventFilters as Filters, PriceFilter, TimeFilter } from './events.api';
import styles from './event-filters.module.css';

/** Milliseconds without a keystroke after which the search is asked for. */
const TYPING_PAUSE = 300;

const PRICES = optionsOf<PriceFilter>(priceFilterText.options);
const FORMATS = optionsOf<FormatFilter>(formatText.filter);
const TIMES = optionsOf<TimeFilter>(browseText.timeOptions);

interface EventFiltersProps {
  filters: Filters;
  change: (filters: Filters) => void;
}

export function EventFilters({ filters, change }: EventFiltersProps) {
  const [typed, setTyped] = useState(filters.q);
  useEffect(() => {
    const q = typed.trim();
    if (q === filters.q) return undefined;
    const timer = setTimeout(() => change({ ...filters, q }), TYPING_PAUSE);
    return () => clearTimeout(timer);
  }, [typed, filters, change]);
  return (
    <div className={styles.filters} role="search">
      <SearchInput
        className={styles.search}
        label={browseText.search}
        placeholder={browseText.searchPlaceholder}
        value={typed}
        change={setTyped}
      />
      <ChoiceRow>
        <Choice
          label={priceFilterText.label}
          options={PRICES}
          value={filters.price}
          change={(price) => change({ ...filters, price })}
        />
        <Choice
          label={browseText.timeFilter}
          options={TIMES}
          value={filters.time}
          change={(time) => change({ ...filters, time })}
        />
        <Choice
          label={formatText.label}
          options={FORMATS}
          value={filters.format}
          change={(format) => change({ ...filters, format })}
        />
      </ChoiceRow>
    </div>
  );
}
