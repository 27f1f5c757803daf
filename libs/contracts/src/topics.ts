import { Matches, MaxLength } from 'class-validator';
import type { CalendarDocument } from './calendar.js';
import { LIMITS } from './limits.js';
import { defineMessage, Nothing } from './message.js';
import { IfGiven, IsFilled, IsId, SingleLine } from './validation.js';

/** What events are about; a community has twelve at most. */
export interface Topic {
  id: string;
  /** In addresses: 'seo-basics'. */
  slug: string;
  name: string;
}

export interface ListedTopic extends Topic {
  /** How many public events are still to come. */
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

/** The slug that a name implies; empty for a name without a Latin letter or digit. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, LIMITS.topicSlug)
    .replaceAll(/^-|-$/g, '');

export class TopicFields {
  @SingleLine(LIMITS.topicName)
  @IsFilled('Name is required')
  name!: string;

  /** The slug of a new topic, made of the name unless given; that of a present topic stays. */
  @IfGiven()
  @IsTopicSlug()
  slug?: string;
}

export class CreateTopicRequest extends TopicFields {
  /** From the gateway, which repeats a request with the same one. */
  @IsId()
  id!: string;
}

export class TopicRequest {
  @IsId()
  topicId!: string;
}

export class ChangeTopicRequest extends TopicFields {
  @IsId()
  topicId!: string;
}

export class MergeFields {
  @IsId()
  into!: string;
}

export class MergeTopicsRequest extends MergeFields {
  @IsId()
  topicId!: string;
}

export class TopicSlugRequest {
  @IsTopicSlug()
  slug!: string;
}

/** By name. The same for everyone, so it may be cached. */
export const ListTopics = defineMessage({
  service: 'events',
  name: 'topics.list',
  access: 'public',
  reads: true,
  request: Nothing,
})<ListedTopic[]>();

/** Its public events from 30 days ago on. TOPIC_NOT_FOUND. */
export const GetTopicCalendar = defineMessage({
  service: 'events',
  name: 'topics.calendar',
  access: 'public',
  reads: true,
  request: TopicSlugRequest,
})<CalendarDocument>();

/** TOPIC_LIMIT, TOPIC_EXISTS. */
export const CreateTopic = defineMessage({
  service: 'events',
  name: 'topics.create',
  access: 'admin',
  request: CreateTopicRequest,
})<Topic>();

/** TOPIC_NOT_FOUND, TOPIC_EXISTS. */
export const ChangeTopic = defineMessage({
  service: 'events',
  name: 'topics.change',
  access: 'admin',
  request: ChangeTopicRequest,
})<Topic>();

/** Its events and followers lose it. TOPIC_NOT_FOUND. */
export const DeleteTopic = defineMessage({
  service: 'events',
  name: 'topics.delete',
  access: 'admin',
  request: TopicRequest,
})<void>();

/** Its events and followers get the other one in its place. TOPIC_NOT_FOUND. */
export const MergeTopics = defineMessage({
  service: 'events',
  name: 'topics.merge',
  access: 'admin',
  request: MergeTopicsRequest,
})<Topic>();

/** What the caller follows, by name. */
export const ListFollowedTopics = defineMessage({
  service: 'events',
  name: 'topics.listFollowed',
  access: 'member',
  reads: true,
  request: Nothing,
})<Topic[]>();

/** Done as well when it is followed. TOPIC_NOT_FOUND. */
export const FollowTopic = defineMessage({
  service: 'events',
  name: 'topics.follow',
  access: 'member',
  request: TopicRequest,
})<void>();

/** Done as well when it is not followed. */
export const UnfollowTopic = defineMessage({
  service: 'events',
  name: 'topics.unfollow',
  access: 'member',
  request: TopicRequest,
})<void>();
