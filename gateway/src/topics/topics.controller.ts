import type * as Contract from '@meetmark/contracts';
import {
  ChangeTopic,
  CreateTopic,
  DeleteTopic,
  FollowTopic,
  ListFollowedTopics,
  ListTopics,
  MergeFields,
  MergeTopics,
  TopicFields,
  UnfollowTopic,
  type User,
} from '@meetmark/contracts';
import { Controller, Delete, Get, HttpCode, Post, Put, Req, Res } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CachedResponse } from '../cache/cached-response.js';
import { ResponseCache } from '../cache/response-cache.js';
import { Topic } from '../events/events.dto.js';
import { Access } from '../http/access.js';
import { Fields, Id } from '../http/fields.js';
import { Caller } from '../http/request.js';
import { Idempotency } from '../idempotency/idempotency.js';
import { COUNT } from '../openapi/answers.js';
import { Describe, describeList } from '../openapi/describe.js';
import { ANONYMOUS, Services } from '../services.js';

class ListedTopic extends Topic implements Contract.ListedTopic {
  @ApiProperty({ ...COUNT, description: 'Number of public events that have not ended' }) upcoming!: number;
}

@Controller('api/topics')
export class TopicsController {
  constructor(
    private readonly services: Services,
    private readonly responses: ResponseCache,
    private readonly idempotency: Idempotency,
  ) {}

  @Describe({
    summary: 'List topics',
    description: 'Sorted by name.',
    answers: { 200: describeList(ListedTopic) },
  })
  @Get()
  @Access('public')
  async list(@Res() reply: FastifyReply): Promise<void> {
    const answer = await this.responses.get('topics', async () =>
      CachedResponse.json(await this.services.read(ListTopics, {}, ANONYMOUS)),
    );
    await answer.send(reply);
  }

  @Describe({
    summary: 'Create a topic',
    description: 'A community can have up to twelve topics.',
    answers: { 201: Topic },
    refuses: ['TOPIC_LIMIT', 'TOPIC_EXISTS', 'REQUEST_IN_PROGRESS'],
    idempotent: true,
  })
  @Post()
  @Access('admin')
  create(
    @Caller() caller: User,
    @Fields(TopicFields) fields: TopicFields,
    @Req() request: FastifyRequest,
  ): Promise<Topic> {
    return this.idempotency.once(request, caller.id, { again: false }, (id) =>
      this.services.call(CreateTopic, { ...fields, id }),
    );
  }

  @Describe({
    summary: 'Rename a topic',
    description: 'The slug stays, so feeds keep their URL.',
    answers: { 200: Topic },
    refuses: ['TOPIC_NOT_FOUND', 'TOPIC_EXISTS'],
  })
  @Put(':id')
  @Access('admin')
  change(@Id() topicId: string, @Fields(TopicFields) fields: TopicFields): Promise<Topic> {
    return this.services.call(ChangeTopic, { topicId, ...fields });
  }

  @Describe({
    summary: 'Delete a topic',
    description: 'Also removes it from its events and followers.',
    answers: { 204: null },
    refuses: ['TOPIC_NOT_FOUND'],
  })
  @Delete(':id')
  @Access('admin')
  delete(@Id() topicId: string): Promise<void> {
    return this.services.call(DeleteTopic, { topicId });
  }

  @Describe({
    summary: 'Merge a topic into another',
    description: 'Its events and followers get the topic `into` instead. Deletes the merged topic.',
    answers: { 200: Topic },
    refuses: ['TOPIC_NOT_FOUND'],
  })
  @Post(':id/merge')
  @HttpCode(200)
  @Access('admin')
  merge(@Id() topicId: string, @Fields(MergeFields) { into }: MergeFields): Promise<Topic> {
    return this.services.call(MergeTopics, { topicId, into });
  }
}

@Controller('api/user/topics')
export class FollowedTopicsController {
  constructor(private readonly services: Services) {}

  @Describe({
    summary: 'List the topics you follow',
    description: 'Sorted by name.',
    answers: { 200: describeList(Topic) },
  })
  @Get()
  @Access('member')
  list(): Promise<Topic[]> {
    return this.services.read(ListFollowedTopics, {});
  }

  @Describe({
    summary: 'Follow a topic',
    description: 'Idempotent.',
    answers: { 204: null },
    refuses: ['TOPIC_NOT_FOUND'],
  })
  @Put(':id')
  @HttpCode(204)
  @Access('member')
  follow(@Id() topicId: string): Promise<void> {
    return this.services.call(FollowTopic, { topicId });
  }

  @Describe({ summary: 'Unfollow a topic', description: 'Idempotent.', answers: { 204: null } })
  @Delete(':id')
  @HttpCode(204)
  @Access('member')
  unfollow(@Id() topicId: string): Promise<void> {
    return this.services.call(UnfollowTopic, { topicId });
  }
}
