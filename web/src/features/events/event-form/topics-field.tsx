import { LIMITS } from '@meetmark/contracts/limits';
import { useQuery } from '@tanstack/react-query';
import { eventTopicsText as text } from '../../../strings/topics';
import { TopicChips } from '../../topics/topic-chips';
import { topicsQuery } from '../../topics/topics.api';
import styles from './event-form.module.css';

interface TopicsFieldProps {
  /** Ids. */
  topics: string[];
  error?: string;
  change: (topics: string[]) => void;
}

/** What the event is about; nothing where the community has no topics. */
export function TopicsField({ topics, error, change }: TopicsFieldProps) {
  const { data: all = [] } = useQuery(topicsQuery);
  if (all.length === 0) return null;
  return (
    <div className={styles.rows}>
      <div>
        <span className={styles.label} aria-hidden="true">
          {text.label}
        </span>
        <p className={styles.soft}>{text.hint}</p>
      </div>
      <TopicChips
        label={text.label}
        topics={all}
        chosen={topics}
        most={LIMITS.eventTopics}
        turn={({ id }, on) => change(on ? [...topics, id] : topics.filter((each) => each !== id))}
      />
      {error && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
