import {
  ChangeTopic,
  type ChangeTopicRequest,
  CreateTopic,
  type CreateTopicRequest,
  DeleteTopic,
  FollowTopic,
  ListFollowedTopics,
  ListTopics,
  MergeTopics,
  type MergeTopicsRequest,
  type Nothing,
  type TopicRequest,
  UnfollowTopic,
} from '@meetmark/contracts';
import { type Call, callerId, Handles, identityOf } from '@meetmark/platform';
import { Controller } from '@nestjs/common';
import { TopicsService } from './topics.service.js';

@Controller()
export class TopicsController {
  constructor(private readonly topics: TopicsService) {}

  @Handles(ListTopics)
  list() {
    return this.topics.list();
  }

  @Handles(CreateTopic)
  create(request: CreateTopicRequest, call: Call) {
    return this.topics.create(identityOf(call), request);
  }

  @Handles(ChangeTopic)
  change(request: ChangeTopicRequest, call: Call) {
    return this.topics.update(identityOf(call), request);
  }

  @Handles(DeleteTopic)
  delete({ topicId }: TopicRequest, call: Call) {
    return this.topics.delete(identityOf(call), topicId);
  }

  @Handles(MergeTopics)
  merge(request: MergeTopicsRequest, call: Call) {
    return this.topics.merge(identityOf(call), request);
  }

  @Handles(ListFollowedTopics)
  listFollowed(_request: Nothing, call: Call) {
    return this.topics.listFollowed(callerId(call));
  }

  @Handles(FollowTopic)
  follow({ topicId }: TopicRequest, call: Call) {
    return this.topics.follow(callerId(call), topicId);
  }

  @Handles(UnfollowTopic)
  unfollow({ topicId }: TopicRequest, call: Call) {
    return this.topics.unfollow(callerId(call), topicId);
  }
}
