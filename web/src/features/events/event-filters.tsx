import { browseText, formatText, priceFilterText } from '@meetmark/contracts/texts/events';
import { topicsText } from '@meetmark/contracts/texts/topics';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Choice, optionsOf } from '../../ui/choice';
import { CloseIcon } from '../../ui/icons';
import { TopicFeeds } from '../topics/topic-chips';
import { topicsQuery } from '../topics/topics.api';
import { FilterSelect, type FiltersProps, PRICES, TIMES } from './browse-events';
import styles from './browse-events.module.css';
import type { FormatFilter } from './shared/event';
import type { EventFilters as Filters } from './shared/events.api';

const FORMATS = optionsOf<FormatFilter>(formatText.filter);

export default function FilterPanel({ id, filters, change, wide }: FiltersProps & { id: string }) {
  return (
    <div id={id} role="group" aria-label={browseText.filters} className={styles.panel}>
      {!wide && (
        <>
          <Choice
            label={browseText.timeFilter}
            options={TIMES}
            value={filters.time}
            change={(time) => change({ time })}
          />
          <Choice
            label={priceFilterText.label}
            options={PRICES}
            value={filters.price}
            change={(price) => change({ price })}
          />
        </>
      )}
      <Choice
        label={formatText.label}
        options={FORMATS}
        value={filters.format}
        change={(format) => change({ format })}
      />
      <TopicChoice topic={filters.topic} choose={(topic) => change({ topic })} />
    </div>
  );
}

/** Nothing where the community has no topics. */
function TopicChoice({ topic, choose }: { topic: string; choose: (slug: string) => void }) {
  const { data: topics = [] } = useQuery(topicsQuery);
  if (topics.length === 0) return null;
  const options = [
    { value: '', label: topicsText.all },
    ...topics.map(({ slug, name }) => ({ value: slug, label: name })),
  ];
  return <FilterSelect label={topicsText.topic} options={options} value={topic} change={choose} />;
}

/** What the filters are set to that are not seen elsewhere, each with the way to take it off. */
export function AppliedFilters({
  filters: { time, price, format, topic: slug },
  change,
  wide,
}: FiltersProps) {
  const { data: topics } = useQuery({ ...topicsQuery, enabled: slug !== '' });
  const topic = topics?.find((each) => each.slug === slug);
  // The chips of cards and events lead to the list, which is far below on a visitor's page.
  useEffect(() => {
    if (slug !== '' && window.location.hash === '#events')
      document.getElementById('events')?.scrollIntoView();
  }, [slug]);
  const applied: { label: string; without: Partial<Filters> }[] = [];
  if (slug !== '') applied.push({ label: topic?.name ?? slug, without: { topic: '' } });
  if (!wide && time !== 'upcoming')
    applied.push({ label: browseText.appliedTimes[time], without: { time: 'upcoming' } });
  if (!wide && price !== 'all')
    applied.push({ label: priceFilterText.options[price], without: { price: 'all' } });
  if (format !== 'all') applied.push({ label: formatText.names[format], without: { format: 'all' } });
  return (
    <div className={styles.applied}>
      <ul className={styles.applied} aria-label={browseText.applied}>
        {applied.map(({ label, without }) => (
          <li key={label}>
            <button
              type="button"
              className={styles.chip}
              aria-label={browseText.removeFilter({ filter: label })}
              onClick={() => change(without)}
            >
              {label}
              <CloseIcon size={16} />
            </button>
          </li>
        ))}
      </ul>
      {topic && <TopicFeeds topic={topic} />}
    </div>
  );
}
