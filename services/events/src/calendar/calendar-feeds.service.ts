import { Controller } from '@nestjs/common';
import {
  type CalendarFeed,
  type NewCalendarFeed,
  GetCalendarFeed,
  type Nothing,
  CreateCalendarFeed,
  RevokeCalendarFeed,
} from '@meetmark/contracts';
import { mapDatabaseError, Handles, type Call, callerId } from '@meetmark/platform';
import { DataSource } from 'typeorm';
import { hashToken, newToken } from '../secret-address.js';
import { CalendarFeedEntity } from './calendar.entities.js';
import { findFeed, replaceFeed } from './calendar.repository.js';

@Controller()
export class CalendarFeedsService {
  constructor(private readonly dataSource: DataSource) {}

  @Handles(GetCalendarFeed)
  async get(_: Nothing, call: Call): Promise<CalendarFeed | null> {
    const feed = await findFeed(this.dataSource.manager, { userId: callerId(call) });
    return feed && { createdAt: feed.createdAt.toISOString() };
  }

  /** @throws DomainError UNAUTHORIZED */
  @Handles(CreateCalendarFeed)
  async create(_: Nothing, call: Call): Promise<NewCalendarFeed> {
    const token = newToken();
    const createdAt = await replaceFeed(this.dataSource.manager, callerId(call), hashToken(token)).catch(
      (error: unknown) => {
        throw mapDatabaseError(error, { calendar_feeds_user_id_fkey: 'UNAUTHORIZED' });
      },
    );
    return { createdAt: createdAt.toISOString(), token };
  }

  @Handles(RevokeCalendarFeed)
  async revoke(_: Nothing, call: Call): Promise<void> {
    await this.dataSource.manager.delete(CalendarFeedEntity, { userId: callerId(call) });
  }
}
