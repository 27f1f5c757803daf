import { Injectable } from '@nestjs/common';
import {
  type AuditAction,
  type ChangeTopicRequest,
  type CreateTopicRequest,
  invalidFields,
  type ListedTopic,
  type MergeTopicsRequest,
  slugOf,
  type Topic,
} from '@meetmark/contracts';
import {
  type CallingAdministrator,
  inTransaction,
  OutboxWriter,
  requireAdministrator,
} from '@meetmark/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { recordAudit } from '../events/event-notices.js';
import { PublicCache } from '../public-cache.js';
import {
  changeTopic,
  CONSTRAINTS,
  deleteTopic,
  follow,
  followedBy,
  insertTopic,
  listTopics,
  moveTopic,
  topicBy,
  unfollow,
} from './topics.repository.js';

/** The owners keep the topics of the community, members follow them. */
@Injectable()
export class TopicsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: OutboxWriter,
    private readonly publicCache: PublicCache,
  ) {}

  list = (): Promise<ListedTopic[]> => listTopics(this.dataSource.manager);

  /** @throws DomainError TOPIC_LIMIT, TOPIC_EXISTS, VALIDATION_FAILED, FORBIDDEN */
  async create(
    admin: CallingAdministrator,
    { id, name, slug = slugOf(name) }: CreateTopicRequest,
  ): Promise<Topic> {
    if (slug === '')
      throw invalidFields(['slug', 'is required for a name without a Latin letter or a digit']);
    return this.change(admin, 'topic.created', async (manager) => {
      const topic = { id, slug, name };
      await insertTopic(manager, topic);
      return topic;
    });
  }

  /** @throws DomainError TOPIC_NOT_FOUND, TOPIC_EXISTS, FORBIDDEN */
  update(admin: CallingAdministrator, { topicId, name, slug }: ChangeTopicRequest): Promise<Topic> {
    return this.change(admin, 'topic.updated', async (manager) => {
      const before = await topicBy(manager, 'id', topicId);
      const topic = { ...before, name, slug: slug ?? before.slug };
      await changeTopic(manager, topic);
      return topic;
    });
  }

  /** @throws DomainError TOPIC_NOT_FOUND, FORBIDDEN */
  async delete(admin: CallingAdministrator, topicId: string): Promise<void> {
    await this.change(admin, 'topic.deleted', async (manager) => {
      const topic = await topicBy(manager, 'id', topicId);
      await deleteTopic(manager, topicId);
      return topic;
    });
  }

  /** @throws DomainError TOPIC_NOT_FOUND, VALIDATION_FAILED, FORBIDDEN */
  async merge(admin: CallingAdministrator, { topicId, into }: MergeTopicsRequest): Promise<Topic> {
    if (topicId.toLowerCase() === into.toLowerCase()) throw invalidFields(['into', 'must be another topic']);
    await this.change(admin, 'topic.merged', async (manager) => {
      const topic = await topicBy(manager, 'id', topicId);
      await topicBy(manager, 'id', into);
      await moveTopic(manager, topicId, into);
      await deleteTopic(manager, topicId);
      return topic;
    });
    return topicBy(this.dataSource.manager, 'id', into);
  }

  listFollowed = (userId: string): Promise<Topic[]> => followedBy(this.dataSource.manager, userId);

  /** @throws DomainError TOPIC_NOT_FOUND */
  follow = (userId: string, topicId: string): Promise<void> =>
    inTransaction(this.dataSource, (manager) => follow(manager, userId, topicId), CONSTRAINTS);

  unfollow = (userId: string, topicId: string): Promise<void> =>
    unfollow(this.dataSource.manager, userId, topicId);

  /** @param work returns the topic that the audit log names */
  private change(
    admin: CallingAdministrator,
    action: AuditAction,
    work: (manager: EntityManager) => Promise<Topic>,
  ): Promise<Topic> {
    return this.publicCache.changing(() =>
      inTransaction(
        this.dataSource,
        async (manager) => {
          await requireAdministrator(manager, admin);
          const topic = await work(manager);
          const { id: subjectId, name: subjectName } = topic;
          const actorId = admin.sub;
          await recordAudit(this.outbox, manager, { action, actorId, subjectId, subjectName });
          return topic;
        },
        CONSTRAINTS,
      ),
    );
  }
}
