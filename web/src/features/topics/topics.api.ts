import type { ListedTopic, SubscriptionFields, Topic } from '@meetmark/contracts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { send, sendForJson, useIdempotencyKey } from '../../api/client';
import { ALWAYS_STALE } from '../../api/query-client';
import { refreshEvents } from '../events/shared/events.api';

const TOPICS = '/api/topics';
const FOLLOWED = '/api/user/topics';

/** The topics of the community, by name. */
export const topicsQuery = queryOptions({
  queryKey: [TOPICS],
  queryFn: ({ signal }) => sendForJson<ListedTopic[]>(TOPICS, { signal }),
});

/** Those that the member follows. */
export const followedQuery = queryOptions({
  queryKey: [FOLLOWED],
  queryFn: ({ signal }) => sendForJson<Topic[]>(FOLLOWED, { signal }),
  ...ALWAYS_STALE,
});

export function useFollow() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ topic, on }: { topic: Topic; on: boolean }) =>
      send(`${FOLLOWED}/${topic.id}`, { method: on ? 'PUT' : 'DELETE' }),
    // before the switch is free again; after a refusal too: the topic may be gone
    onSettled: () => client.invalidateQueries(followedQuery),
  });
}

/** Asks for the link that confirms the address. */
export const useSubscribe = () =>
  useMutation({
    mutationFn: (body: SubscriptionFields) => send('/api/subscriptions', { method: 'POST', body }),
  });

/** A change of a topic; lists of topics and of events learn of it, after a refusal too. */
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

export const feedOf = ({ slug }: Topic, kind: 'rss' | 'ics') => `/feeds/topics/${slug}.${kind}`;
