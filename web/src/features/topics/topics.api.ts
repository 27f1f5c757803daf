import type { ListedTopic, SubscriptionFields, Topic } from '@meetmark/contracts';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { send, sendForJson, useIdempotencyKey } from '../../api/client';
import { useMutation } from '../../api/mutation';
import { readQuery } from '../../api/query-client';
import { refreshEvents } from '../events/shared/events.api';

const TOPICS = '/api/topics';
const FOLLOWED = '/api/user/topics';

export const topicsQuery = queryOptions({
  queryKey: [TOPICS],
  queryFn: ({ signal }) => sendForJson<ListedTopic[]>(TOPICS, { signal }),
});

export const followedQuery = readQuery<Topic[]>(FOLLOWED);

export function useFollow() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ topic, on }: { topic: Topic; on: boolean }) =>
      send(`${FOLLOWED}/${topic.id}`, { method: on ? 'PUT' : 'DELETE' }),
    // refetches even after an error, because the topic may be gone; until then, the switch stays disabled
    onSettled: () => client.invalidateQueries(followedQuery),
  });
}

export const useSubscribe = () =>
  useMutation({
    mutationFn: (body: SubscriptionFields) => send('/api/subscriptions', { method: 'POST', body }),
  });

function useTopicCall<Given>(call: (given: Given) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: call,
    onSettled: async () => {
      void refreshEvents(client);
      await client.invalidateQueries(topicsQuery);
    },
  });
}

export interface TopicChange {
  name: string;
  slug?: string;
}

export function useAddTopic() {
  const keyFor = useIdempotencyKey();
  return useTopicCall((body: TopicChange) => send(TOPICS, { method: 'POST', body, headers: keyFor(body) }));
}

export const useRenameTopic = ({ id }: Topic) =>
  useTopicCall((body: TopicChange) => send(`${TOPICS}/${id}`, { method: 'PUT', body }));

export const useMergeTopic = ({ id }: Topic) =>
  useTopicCall((into: string) => send(`${TOPICS}/${id}/merge`, { method: 'POST', body: { into } }));

export const useDeleteTopic = () =>
  useTopicCall(({ id }: Topic) => send(`${TOPICS}/${id}`, { method: 'DELETE' }));

export const getFeedPath = ({ slug }: Topic, kind: 'rss' | 'ics') => `/feeds/topics/${slug}.${kind}`;
