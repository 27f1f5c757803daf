import { Matches, MaxLength } from 'class-validator';
import { cutText } from '../cut-text.js';
import { LIMITS } from '../limits.js';
import { messagesTo, Nothing } from '../message.js';
import { About, IfGiven, IsFilled, IsId, SingleLine, withIds } from '../validation.js';

const events = messagesTo('events');

export interface Topic {
  id: string;
  slug: string;
  name: string;
}

export interface ListedTopic extends Topic {
  upcoming: number;
}

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

export const IsTopicSlug =
  (): PropertyDecorator =>
  (target, key): void => {
    MaxLength(LIMITS.topicSlug)(target, key as string);
    Matches(SLUG, {
      message: '$property must be lower-case letters, digits and single hyphens',
      context: { rule: 'isSlug' },
    })(target, key as string);
  };

/** Returns an empty string for a name without Latin letters or digits. */
export function toSlug(name: string): string {
  const words = name
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
  return cutText(words, LIMITS.topicSlug).replaceAll(/^-|-$/g, '');
}

export class TopicFields {
  @About('Name of the topic', 'SEO basics')
  @SingleLine(LIMITS.topicName)
  @IsFilled('Name is required')
  name!: string;

  @About('Name in URLs of a new topic. Default: made from `name`. Ignored when renaming', 'seo-basics')
  @IfGiven()
  @IsTopicSlug()
  slug?: string;
}

/** The gateway creates `id`, so a repeated request creates only one topic. */
export class CreateTopicRequest extends withIds(TopicFields, 'id') {}

export class TopicRequest {
  @IsId()
  topicId!: string;
}

export class ChangeTopicRequest extends withIds(TopicFields, 'topicId') {}

export class MergeFields {
  @About('ID of the topic that stays')
  @IsId()
  into!: string;
}

export class MergeTopicsRequest extends withIds(MergeFields, 'topicId') {}

export class TopicSlugRequest {
  @IsTopicSlug()
  slug!: string;
}

/** The response is the same for everyone, so it can be cached. */
export const ListTopics = events.public('topics.list', Nothing)<ListedTopic[]>();

/**
 * @throws TOPIC_LIMIT
 * @throws TOPIC_EXISTS
 */
export const CreateTopic = events.admin('topics.create', CreateTopicRequest)<Topic>();

/**
 * @throws TOPIC_NOT_FOUND
 * @throws TOPIC_EXISTS
 */
export const ChangeTopic = events.admin('topics.change', ChangeTopicRequest)<Topic>();

/** @throws TOPIC_NOT_FOUND */
export const DeleteTopic = events.admin('topics.delete', TopicRequest)<void>();

/**
 * Moves the topic's events and followers to the other topic.
 * @throws TOPIC_NOT_FOUND
 */
export const MergeTopics = events.admin('topics.merge', MergeTopicsRequest)<Topic>();

export const ListFollowedTopics = events.member('topics.listFollowed', Nothing)<Topic[]>();

/**
 * Idempotent.
 * @throws TOPIC_NOT_FOUND
 */
export const FollowTopic = events.member('topics.follow', TopicRequest)<void>();

/** Idempotent. */
export const UnfollowTopic = events.member('topics.unfollow', TopicRequest)<void>();
