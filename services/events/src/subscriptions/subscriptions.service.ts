import { Injectable } from '@nestjs/common';
import {
  DomainError,
  invalidFields,
  type SetVisitorListRequest,
  SubscriptionConfirmMail,
  type SubscriptionRequest,
  type VisitorList,
  type VisitorListRequest,
} from '@meetmark/contracts';
import { inTransaction, OutboxWriter } from '@meetmark/platform';
import { DataSource } from 'typeorm';
import { v7 as uuid } from 'uuid';

/** Open requests of one address within a day beyond which no further mail goes there. */
const MAILS_A_DAY = 5;
const COLUMNS: Record<VisitorList, string> = { announcements: 'announcements', digest: 'digest' };

/** Visitors sign up for mails with an address alone, which a link in a mail proves. */
@Injectable()
export class SubscriptionsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: OutboxWriter,
  ) {}

  /** The same for every address, known or not. @throws DomainError VALIDATION_FAILED */
  async request({ email, topics = [], digest = false, locale }: SubscriptionRequest): Promise<void> {
    if (topics.length === 0 && !digest)
      throw invalidFields(['topics', 'must name one at least, unless digest is true']);
    await inTransaction(this.dataSource, async (manager) => {
      const known = await manager.query<{ id: string }[]>(
        'SELECT id FROM events.topics WHERE id = ANY ($1)',
        [topics],
      );
      const index = topics.findIndex((topic) => !known.some(({ id }) => id === topic));
      if (index !== -1) throw invalidFields([`topics[${index}]`, 'is no topic of this community']);
      // one at a time for an address, so that each sees those before it
      await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('events.subscription ' || $1, 0))`, [
        email,
      ]);
      const id = uuid();
      const written = await manager.query<unknown[]>(
        `INSERT INTO events.subscription_requests (id, email, topic_ids, digest, locale)
         SELECT $1, $2, $3::uuid[], $4, $5 WHERE (
           SELECT count(*) FROM events.subscription_requests
           WHERE email = $2 AND requested_at > now() - interval '1 day') < ${MAILS_A_DAY}
         RETURNING id`,
        [id, email, topics, digest, locale ?? null],
      );
      if (written.length > 0) await this.outbox.add(manager, SubscriptionConfirmMail, { requestId: id });
    });
  }

  /** @throws DomainError SUBSCRIPTION_LINK_INVALID */
  async confirm(requestId: string): Promise<void> {
    const [{ confirmed }] = await this.dataSource.query<[{ confirmed: boolean }]>(
      'SELECT events.confirm_subscription($1) AS confirmed',
      [requestId],
    );
    if (!confirmed) throw new DomainError('SUBSCRIPTION_LINK_INVALID');
  }

  async findList({ subscriptionId, list }: VisitorListRequest): Promise<{ subscribed: boolean } | null> {
    const [row] = await this.dataSource.query<{ subscribed: boolean }[]>(
      `SELECT ${COLUMNS[list]} AS subscribed FROM events.subscriptions WHERE id = $1`,
      [subscriptionId],
    );
    return row ?? null;
  }

  /** Does nothing once the subscription is gone. */
  async setList({ subscriptionId, list, subscribed }: SetVisitorListRequest): Promise<void> {
    await this.dataSource.query(
      `UPDATE events.subscriptions SET ${COLUMNS[list]} = $2, changed_at = now() WHERE id = $1`,
      [subscriptionId, subscribed],
    );
  }
}
