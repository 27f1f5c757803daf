import { Input, Segmented } from 'antd';
import { useEffect, useState } from 'react';
import { LIMITS } from '@meetmark/contracts/limits';
import { browseText } from '../../strings/events';
import { SearchIcon } from '../../ui/icons';
import type { EventFilters as Filters, PriceFilter, TimeFilter } from './events.api';
import styles from './event-filters.module.css';

/** Milliseconds without a keystroke after which the search is asked for. */
const TYPING_PAUSE = 300;

const optionsOf = <Value extends string>(labels: Readonly<Record<Value, string>>) =>
  (Object.entries(labels) as [Value, string][]).map(([value, label]) => ({ value, label }));

const PRICES = optionsOf<PriceFilter>(browseText.priceOptions);
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
      <Input
        type="search"
        className={styles.search}
        prefix={<SearchIcon />}
        aria-label={browseText.search}
        placeholder={browseText.searchPlaceholder}
        maxLength={LIMITS.search}
        allowClear
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Segmented
        aria-label={browseText.priceFilter}
        options={PRICES}
        value={filters.price}
        onChange={(price) => change({ ...filters, price })}
      />
      <Segmented
        aria-label={browseText.timeFilter}
        options={TIMES}
        value={filters.time}
        onChange={(time) => change({ ...filters, time })}
      />
    </div>
  );
}
