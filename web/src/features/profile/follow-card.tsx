import type { ListedTopic, Topic } from '@meetmark/contracts';
import { followText as text } from '@meetmark/contracts/texts/topics';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { serverMessage } from '../../api/client';
import { useOnce } from '../../ui/action-button';
import { Card } from '../../ui/card';
import { CardSkeleton, ErrorState } from '../../ui/feedback';
import { useToasts } from '../../ui/toasts';
import { useFailure } from '../auth/session';
import { HelpButton } from '../help/help-button';
import { TopicChips, TopicFeeds } from '../topics/topic-chips';
import { followedQuery, topicsQuery, useFollow } from '../topics/topics.api';
import topicStyles from '../topics/topics.module.css';
import styles from './profile.module.css';

/** What the member follows; each press saves at once. Nothing where the community has no topics. */
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
  const toasts = useToasts();
  const failed = useFailure();
  const followOnce = useOnce(useFollow());
  const [turning, setTurning] = useState<{ topic: Topic; on: boolean } | null>(null);
  const saved = followed.map(({ id }) => id);
  // While the change is being saved, the chip shows it already.
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
              onSuccess: () =>
                toasts.success(
                  on ? text.follows({ topic: topic.name }) : text.unfollows({ topic: topic.name }),
                ),
              onError: (error) => failed(error, serverMessage(error) ?? text.failed),
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
