import { Controller } from '@nestjs/common';
import {
  type AuditAction,
  type ChangeTopicRequest,
  type CreateTopicRequest,
  invalidFields,
  type ListedTopic,
  type MergeTopicsRequest,
  toSlug,
  type Topic,
  ListTopics,
  CreateTopic,
  ChangeTopic,
  DeleteTopic,
  type TopicRequest,
  MergeTopics,
  ListFollowedTopics,
  type Nothing,
  FollowTopic,
  UnfollowTopic,
} from '@meetmark/contracts';
import {
  inTransaction,
  OutboxWriter,
  requireAdministrator,
  Handles,
  type Call,
  callerId,
  requireIdentity,
} from '@meetmark/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { recordAudit } from '../events/notices/event-notices.js';
import { PublicCache } from '../public-cache.js';
import {
  changeTopic,
  CONSTRAINTS,
  deleteTopic,
  follow,
  followedBy,
  fetchFollowers,
  insertTopic,
  listTopics,
  moveTopic,
  topicBy,
  unfollow,
} from './topics.repository.js';
import { lockMembers, lockTopics } from '../events/content/event-content.repository.js';

@Controller()
export class TopicsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: OutboxWriter,
    private readonly publicCache: PublicCache,
  ) {}

  @Handles(ListTopics)
  list(): Promise<ListedTopic[]> {
    return listTopics(this.dataSource.manager);
  }

  /** @throws DomainError TOPIC_LIMIT, TOPIC_EXISTS, VALIDATION_FAILED, FORBIDDEN */
  @Handles(CreateTopic)
  async create({ id, name, slug = toSlug(name) }: CreateTopicRequest, call: Call): Promise<Topic> {
    if (slug === '') throw invalidFields(['slug', 'is required if the name has no Latin letter or digit']);
    return this.change(call, 'topic.created', async (manager) => {
      const topic = { id, slug, name };
      await insertTopic(manager, topic);
      return topic;
    });
  }

  /** @throws DomainError TOPIC_NOT_FOUND, TOPIC_EXISTS, FORBIDDEN */
  @Handles(ChangeTopic)
  update({ topicId, name, slug }: ChangeTopicRequest, call: Call): Promise<Topic> {
    return this.change(call, 'topic.updated', async (manager) => {
      const before = await topicBy(manager, 'id', topicId);
      const topic = { ...before, name, slug: slug ?? before.slug };
      await changeTopic(manager, topic);
      return topic;
    });
  }

  /** @throws DomainError TOPIC_NOT_FOUND, FORBIDDEN */
  @Handles(DeleteTopic)
  async delete({ topicId }: TopicRequest, call: Call): Promise<void> {
    await this.change(call, 'topic.deleted', async (manager) => {
      const topic = await topicBy(manager, 'id', topicId);
      await deleteTopic(manager, topicId);
      return topic;
    });
  }

  /** @throws DomainError TOPIC_NOT_FOUND, VALIDATION_FAILED, FORBIDDEN */
  @Handles(MergeTopics)
  async merge({ topicId, into }: MergeTopicsRequest, call: Call): Promise<Topic> {
    if (topicId.toLowerCase() === into.toLowerCase()) throw invalidFields(['into', 'must be another topic']);
    await this.change(call, 'topic.merged', async (manager) => {
      const topic = await topicBy(manager, 'id', topicId);
      await topicBy(manager, 'id', into);
      await lockMembers(manager, await fetchFollowers(manager, topicId));
      await lockTopics(manager, [topicId, into], 'FOR UPDATE');
      await moveTopic(manager, topicId, into);
      await deleteTopic(manager, topicId);
      return topic;
    });
    return topicBy(this.dataSource.manager, 'id', into);
  }

  @Handles(ListFollowedTopics)
  listFollowed(_: Nothing, call: Call): Promise<Topic[]> {
    return followedBy(this.dataSource.manager, callerId(call));
  }

  /** @throws DomainError TOPIC_NOT_FOUND */
  @Handles(FollowTopic)
  follow({ topicId }: TopicRequest, call: Call): Promise<void> {
    return inTransaction(
      this.dataSource,
      async (manager) => {
        await lockMembers(manager, [callerId(call)]);
        await lockTopics(manager, [topicId]);
        await follow(manager, callerId(call), topicId);
      },
      CONSTRAINTS,
    );
  }

  @Handles(UnfollowTopic)
  unfollow({ topicId }: TopicRequest, call: Call): Promise<void> {
    return unfollow(this.dataSource.manager, callerId(call), topicId);
  }

  private change(
    call: Call,
    action: AuditAction,
    work: (manager: EntityManager) => Promise<Topic>,
  ): Promise<Topic> {
    return this.publicCache.transaction(async (manager) => {
      await requireAdministrator(manager, requireIdentity(call));
      const topic = await work(manager);
      const { id: subjectId, name: subjectName } = topic;
      const actorId = callerId(call);
      await recordAudit(this.outbox, manager, { action, actorId, subjectId, subjectName });
      return topic;
    }, CONSTRAINTS);
  }
}
