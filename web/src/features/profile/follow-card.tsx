import type { ListedTopic, Topic } from '@meetmark/contracts';
import { followText as text } from '@meetmark/i18n/texts/topics';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Card } from '../../ui/card';
import { CardSkeleton, ErrorState } from '../../ui/feedback';
import { useAction } from '../auth/use-action';
import { HelpButton } from '../help/help-button';
import { TopicChips, TopicFeeds } from '../topics/topic-chips';
import { followedQuery, topicsQuery, useFollow } from '../topics/topics.api';
import topicStyles from '../topics/topics.module.css';
import styles from './profile.module.css';

export function FollowCard() {
  const topics = useQuery(topicsQuery);
  const followed = useQuery(followedQuery);
  if (topics.data?.length === 0) return null;
  const error = topics.error ?? followed.error;
  return (
    <Card title={text.title} intro={text.intro} help={<HelpButton panel="follows" title={text.title} />}>
      {topics.data && followed.data ? (
        <Followed topics={topics.data} followed={followed.data} />
      ) : error ? (
        <ErrorState error={error} retry={() => void Promise.all([topics.refetch(), followed.refetch()])} />
      ) : (
        <CardSkeleton />
      )}
    </Card>
  );
}

function Followed({ topics, followed }: { topics: ListedTopic[]; followed: Topic[] }) {
  const followOnce = useAction(useFollow());
  const [turning, setTurning] = useState<{ topic: Topic; on: boolean } | null>(null);
  const saved = followed.map(({ id }) => id);
  const chosen = turning
    ? [...saved.filter((id) => id !== turning.topic.id), ...(turning.on ? [turning.topic.id] : [])]
    : saved;
  return (
    <>
      <TopicChips
        label={text.topics}
        topics={topics}
        chosen={chosen}
        turn={(topic, on) => {
          if (turning) return;
          setTurning({ topic, on });
          followOnce(
            { topic, on },
            {
              title: (on ? text.follows : text.unfollows)({ topic: topic.name }),
              failed: text.failed,
              onSettled: () => setTurning(null),
            },
          );
        }}
      />
      {followed.length > 0 && (
        <div>
          <p className={styles.soft}>{text.feeds}</p>
          <ul>
            {followed.map((each) => (
              <li key={each.id} className={topicStyles.feedsRow}>
                <span dir="auto">{each.name}</span>
                <TopicFeeds topic={each} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
