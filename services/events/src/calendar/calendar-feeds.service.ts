import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DomainError, type CalendarFeed, type NewCalendarFeed } from '@meetmark/contracts';
import { mapDatabaseError } from '@meetmark/platform';
import { DataSource } from 'typeorm';
import { CalendarFeedEntity } from './calendar-feed.entity.js';

const TOKEN_BYTES = 32;

/** The secret addresses under which members subscribe to their own events. */
@Injectable()
export class CalendarFeedsService {
  constructor(private readonly dataSource: DataSource) {}

  async get(userId: string): Promise<CalendarFeed | null> {
    const feed = await this.standing().andWhere('feed.userId = :userId', { userId }).getOne();
    return feed && { createdAt: feed.createdAt.toISOString() };
  }

  /** Replaces the member's address: the one before is dead from now on. @throws DomainError UNAUTHORIZED */
  async create(userId: string): Promise<NewCalendarFeed> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const rows = await this.dataSource
      .query<{ createdAt: Date }[]>(
        `WITH feed AS (
           INSERT INTO events.calendar_feeds (user_id, token_hash) VALUES ($1, $2)
           ON CONFLICT (user_id) DO UPDATE SET token_hash = excluded.token_hash, created_at = excluded.created_at
           RETURNING created_at)
         SELECT created_at AS "createdAt" FROM feed`,
        [userId, hashOf(token)],
      )
      .catch((error: unknown) => {
        throw mapDatabaseError(error, { calendar_feeds_user_id_fkey: 'UNAUTHORIZED' });
      });
    return { createdAt: rows[0]!.createdAt.toISOString(), token };
  }

  async revoke(userId: string): Promise<void> {
    await this.dataSource.manager.delete(CalendarFeedEntity, { userId });
  }

  /** Whose address it is. @throws DomainError CALENDAR_NOT_FOUND */
  async memberOf(token: string): Promise<string> {
    const feed = await this.standing()
      .andWhere('feed.tokenHash = :tokenHash', { tokenHash: hashOf(token) })
      .getOne();
    if (!feed) throw new DomainError('CALENDAR_NOT_FOUND');
    return feed.userId;
  }

  /** Addresses that were not ended with the sessions of their member: by a new password, or a newly verified address. */
  private standing() {
    return this.dataSource.manager
      .createQueryBuilder(CalendarFeedEntity, 'feed')
      .where(
        'NOT EXISTS (SELECT FROM auth.feed_end ended WHERE ended.id = feed.userId AND ended.feeds_ended_at >= feed.createdAt)',
      );
  }
}

// The token is 256 random bits: there is nothing to guess, so a fast hash is enough.
const hashOf = (token: string) => createHash('sha256').update(token).digest();
