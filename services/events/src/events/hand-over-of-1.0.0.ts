import { Controller } from '@nestjs/common';
import { HandOverEvents, type HandOverEventsRequest } from '@meetmark/contracts';
import { type Call, Handles, identityOf, inTransaction, requireAdministrator } from '@meetmark/platform';
import { DataSource } from 'typeorm';
import { PublicCache } from '../public-cache.js';
import { handOverEvents } from './events.repository.js';

/**
 * What admin of 1.0.0 sends before it has auth delete an account, also on what its gateway granted to this version's admin. Since then
 * auth hands the events over itself (`events.hand_over_events`). Goes with its message when 1.1 is the version before, as does
 * ADMIN_EVENTS_SECRETS.
 */
@Controller()
export class HandOverController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly publicCache: PublicCache,
  ) {}

  /** @throws DomainError USER_NOT_FOUND, FORBIDDEN */
  @Handles(HandOverEvents)
  handOver({ fromUserId, toUserId }: HandOverEventsRequest, call: Call): Promise<void> {
    return this.publicCache.changing(() =>
      inTransaction(
        this.dataSource,
        async (manager) => {
          await requireAdministrator(manager, identityOf(call));
          await handOverEvents(manager, fromUserId, toUserId);
        },
        { events_created_by_id_fkey: 'USER_NOT_FOUND' },
      ),
    );
  }
}
