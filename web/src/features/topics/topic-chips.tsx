import type { Topic } from '@meetmark/contracts';
import { topicsText as text } from '@meetmark/i18n/texts/topics';
import { getFeedPath } from './topics.api';
import styles from './topics.module.css';

interface TopicChipsProps {
  label: string;
  topics: Topic[];
  chosen: readonly string[];
  turn: (topic: Topic, on: boolean) => void;
  most?: number;
}

export const TopicChips = ({ label, topics, chosen, turn, most = topics.length }: TopicChipsProps) => (
  <div role="group" aria-label={label} className={styles.chips}>
    {topics.map((topic) => {
      const checked = chosen.includes(topic.id);
      return (
        <label key={topic.id} className={styles.chip}>
          <input
            type="checkbox"
            checked={checked}
            disabled={!checked && chosen.length >= most}
            onChange={({ target }) => turn(topic, target.checked)}
          />
          <span dir="auto">{topic.name}</span>
        </label>
      );
    })}
  </div>
);

export const TopicFeeds = ({ topic }: { topic: Topic }) => (
  <span role="group" aria-label={text.feeds({ topic: topic.name })} className={styles.feeds}>
    <a href={getFeedPath(topic, 'rss')}>{text.rss}</a>
    <a href={`webcal://${window.location.host}${getFeedPath(topic, 'ics')}`}>{text.calendar}</a>
  </span>
);
