import { browseText, formatText } from '@meetmark/i18n/texts/events';
import { topicsText } from '@meetmark/i18n/texts/topics';
import { useQuery } from '@tanstack/react-query';
import { Choice, toOptions } from '../../ui/choice';
import { CloseIcon } from '../../ui/icons';
import { TopicFeeds } from '../topics/topic-chips';
import { topicsQuery } from '../topics/topics.api';
import { FilterSelect, type FiltersProps } from './browse-events';
import styles from './browse-events.module.css';
import type { FormatFilter } from './shared/event';
import type { EventFilters as Filters } from './shared/events.api';

const FORMATS = toOptions<FormatFilter>(formatText.filter);

export default function FilterPanel({ id, filters, change }: FiltersProps & { id: string }) {
  return (
    <div id={id} role="group" aria-label={browseText.filters} className={styles.panel}>
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

function TopicChoice({ topic, choose }: { topic: string; choose: (slug: string) => void }) {
  const { data: topics = [] } = useQuery(topicsQuery);
  if (topics.length === 0) return null;
  const options = [
    { value: '', label: topicsText.all },
    ...topics.map(({ slug, name }) => ({ value: slug, label: name })),
  ];
  return <FilterSelect label={topicsText.topic} options={options} value={topic} change={choose} />;
}

export function AppliedFilters({ filters: { format, topic: slug }, change }: FiltersProps) {
  const { data: topics } = useQuery({ ...topicsQuery, enabled: slug !== '' });
  const topic = topics?.find((each) => each.slug === slug);
  const applied: { label: string; without: Partial<Filters> }[] = [];
  if (slug !== '') applied.push({ label: topic?.name ?? slug, without: { topic: '' } });
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
