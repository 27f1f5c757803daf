import { DomainError, type ErrorCode, LIMITS, type ListedTopic, type Topic } from '@meetmark/contracts';
import type { EntityManager } from 'typeorm';

export const CONSTRAINTS: Record<string, ErrorCode> = {
  topics_pkey: 'REQUEST_IN_PROGRESS',
  topics_place_check: 'TOPIC_LIMIT',
  topics_slug_key: 'TOPIC_EXISTS',
  topics_name_key: 'TOPIC_EXISTS',
  event_topics_topic_id_fkey: 'TOPIC_NOT_FOUND',
  topic_follows_topic_id_fkey: 'TOPIC_NOT_FOUND',
  topic_follows_user_id_fkey: 'UNAUTHORIZED',
};

export const listTopics = (manager: EntityManager): Promise<ListedTopic[]> =>
  manager.query<ListedTopic[]>(
    `SELECT topic.id, slug, name, count(event.id)::integer AS upcoming
     FROM events.topics AS topic LEFT JOIN events.event_topics AS about ON about.topic_id = topic.id
     LEFT JOIN events.events AS event ON event.id = about.event_id
       AND event.status = 'published' AND event.visibility = 'public' AND event.end_date > now()
     GROUP BY topic.id ORDER BY name, topic.id`,
  );

export async function topicBy(manager: EntityManager, key: 'id' | 'slug', value: string): Promise<Topic> {
  const [topic] = await manager.query<Topic[]>(`SELECT id, slug, name FROM events.topics WHERE ${key} = $1`, [
    value,
  ]);
  if (topic === undefined) throw new DomainError('TOPIC_NOT_FOUND');
  return topic;
}

/** Uses the first free place. The database rejects a place above the maximum number of topics. */
export async function insertTopic(manager: EntityManager, { id, slug, name }: Topic): Promise<void> {
  // takes the lock in a separate statement, so that the insert sees what other transactions committed
  await manager.query("SELECT pg_advisory_xact_lock(hashtextextended('events.topics', 0))");
  await manager.query(
    `INSERT INTO events.topics (id, slug, name, place) SELECT $1, $2, $3, min(place)
     FROM generate_series(1, ${LIMITS.topics + 1}) AS place WHERE place NOT IN (SELECT place FROM events.topics)`,
    [id, slug, name],
  );
}

export async function changeTopic(manager: EntityManager, { id, slug, name }: Topic): Promise<void> {
  await manager.query('UPDATE events.topics SET slug = $2, name = $3 WHERE id = $1', [id, slug, name]);
}

export async function deleteTopic(manager: EntityManager, id: string): Promise<void> {
  await manager.query('DELETE FROM events.topics WHERE id = $1', [id]);
}

export async function moveTopic(manager: EntityManager, from: string, into: string): Promise<void> {
  await manager.query(
    `UPDATE events.event_topics AS about SET topic_id = $2 WHERE topic_id = $1 AND NOT EXISTS (
       SELECT FROM events.event_topics AS other WHERE other.event_id = about.event_id AND other.topic_id = $2)`,
    [from, into],
  );
  await manager.query(
    `INSERT INTO events.topic_follows (topic_id, user_id)
     SELECT $2, user_id FROM events.topic_follows WHERE topic_id = $1 ORDER BY user_id ON CONFLICT DO NOTHING`,
    [from, into],
  );
  await manager.query(
    `INSERT INTO events.subscription_topics (topic_id, subscription_id)
     SELECT $2, subscription_id FROM events.subscription_topics WHERE topic_id = $1 ON CONFLICT DO NOTHING`,
    [from, into],
  );
}

export async function fetchFollowers(manager: EntityManager, topicId: string): Promise<string[]> {
  const rows = await manager.sql<{ id: string }[]>`
    SELECT user_id AS id FROM events.topic_follows WHERE topic_id = ${topicId}`;
  return rows.map(({ id }) => id);
}

export const followedBy = (manager: EntityManager, userId: string): Promise<Topic[]> =>
  manager.query<Topic[]>(
    `SELECT topic.id, slug, name FROM events.topics AS topic
     JOIN events.topic_follows AS follow ON follow.topic_id = topic.id WHERE follow.user_id = $1 ORDER BY name`,
    [userId],
  );

export async function follow(manager: EntityManager, userId: string, topicId: string): Promise<void> {
  await manager.query(
    'INSERT INTO events.topic_follows (topic_id, user_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [topicId, userId],
  );
}

export async function unfollow(manager: EntityManager, userId: string, topicId: string): Promise<void> {
  await manager.query('DELETE FROM events.topic_follows WHERE topic_id = $1 AND user_id = $2', [
    topicId,
    userId,
  ]);
}
