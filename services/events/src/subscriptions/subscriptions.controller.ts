import {
  ConfirmSubscription,
  type ConfirmSubscriptionRequest,
  DomainError,
  FindVisitorList,
  invalidFields,
  RequestSubscription,
  SetVisitorList,
  type SetVisitorListRequest,
  SubscriptionConfirmMail,
  type SubscriptionRequest,
  type VisitorListRequest,
} from '@meetmark/contracts';
import { Handles, inTransaction, OutboxWriter } from '@meetmark/platform';
import { Controller } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  addRequest,
  confirmSubscription,
  findList,
  knownTopics,
  setList,
} from './subscriptions.repository.js';

@Controller()
export class SubscriptionsController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: OutboxWriter,
  ) {}

  /**
   * The answer is the same for known and unknown email addresses.
   * @throws DomainError VALIDATION_FAILED
   */
  @Handles(RequestSubscription)
  async request(fields: SubscriptionRequest): Promise<void> {
    const { topics = [], digest = false } = fields;
    if (topics.length === 0 && !digest)
      throw invalidFields(['topics', 'must contain at least one topic unless digest is true']);
    await inTransaction(this.dataSource, async (manager) => {
      const known = await knownTopics(manager, topics);
      const index = topics.findIndex((topic) => !known.has(topic));
      if (index !== -1) throw invalidFields([`topics[${index}]`, 'is not a topic of this community']);
      const requestId = await addRequest(manager, fields);
      if (requestId !== null) await this.outbox.add(manager, SubscriptionConfirmMail, { requestId });
    });
  }

  /** @throws DomainError SUBSCRIPTION_LINK_INVALID */
  @Handles(ConfirmSubscription)
  async confirm({ requestId }: ConfirmSubscriptionRequest): Promise<void> {
    if (!(await confirmSubscription(this.dataSource.manager, requestId)))
      throw new DomainError('SUBSCRIPTION_LINK_INVALID');
  }

  @Handles(FindVisitorList)
  findList(request: VisitorListRequest): Promise<{ subscribed: boolean } | null> {
    return findList(this.dataSource.manager, request);
  }

  @Handles(SetVisitorList)
  async setList(request: SetVisitorListRequest): Promise<void> {
    await setList(this.dataSource.manager, request);
  }
}
