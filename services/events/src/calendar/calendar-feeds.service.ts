import { Injectable } from '@nestjs/common';
import { DomainError, type CalendarFeed, type NewCalendarFeed } from '@meetmark/contracts';
import { mapDatabaseError } from '@meetmark/platform';
import { DataSource } from 'typeorm';
import { hashOf, newToken } from '../secret-address.js';
import { CalendarFeedEntity } from './calendar.entities.js';
import { replaceFeed, validFeeds } from './calendar.repository.js';

/** The secret addresses under which members subscribe to their own events. */
@Injectable()
export class CalendarFeedsService {
  constructor(private readonly dataSource: DataSource) {}

  async get(userId: string): Promise<CalendarFeed | null> {
    const feed = await validFeeds(this.dataSource.manager)
      .andWhere('feed.userId = :userId', { userId })
      .getOne();
    return feed && { createdAt: feed.createdAt.toISOString() };
  }

  /** Replaces the member's address, which stops working. @throws DomainError UNAUTHORIZED */
  async create(userId: string): Promise<NewCalendarFeed> {
    const token = newToken();
    const createdAt = await replaceFeed(this.dataSource.manager, userId, hashOf(token)).catch(
      (error: unknown) => {
        throw mapDatabaseError(error, { calendar_feeds_user_id_fkey: 'UNAUTHORIZED' });
      },
    );
    return { createdAt: createdAt.toISOString(), token };
  }

  async revoke(userId: string): Promise<void> {
    await this.dataSource.manager.delete(CalendarFeedEntity, { userId });
  }

  /** The id of the address's member. @throws DomainError CALENDAR_NOT_FOUND */
  async memberOf(token: string): Promise<string> {
    const feed = await validFeeds(this.dataSource.manager)
      .andWhere('feed.tokenHash = :tokenHash', { tokenHash: hashOf(token) })
      .getOne();
    if (!feed) throw new DomainError('CALENDAR_NOT_FOUND');
    return feed.userId;
  }
}
