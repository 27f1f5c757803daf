import {
  AcceptLegalPages,
  EndSessions,
  GetSessionUser,
  type LegalVersionFields,
  type Nothing,
  type SessionUser,
  type UserIdRequest,
} from '@meetmark/contracts';
import { type Call, Handles } from '@meetmark/platform';
import { Controller, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SessionUserCache } from './session-user.cache.js';
import { UserChanges } from './user-changes.js';
import { presentSessionUser, UserEntity } from './user.entity.js';
import { acceptPages } from './users.repository.js';

@Controller()
export class SessionUsersService {
  private readonly logger = new Logger(SessionUsersService.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly cache: SessionUserCache,
    private readonly changes: UserChanges,
  ) {}

  @Handles(GetSessionUser)
  async get({ userId }: UserIdRequest): Promise<SessionUser | null> {
    const marker = await this.unlessCacheFails(() => this.cache.markReading(userId));
    const row = await this.dataSource.manager.findOneBy(UserEntity, { id: userId });
    const user = row && presentSessionUser(row);
    if (marker) await this.unlessCacheFails(() => this.cache.fill(marker, user));
    return user;
  }

  @Handles(EndSessions)
  async end(_: Nothing, call: Call): Promise<SessionUser> {
    const { user } = await this.changes.commitOwn(call, (manager, { id }) =>
      manager.update(UserEntity, { id }, { sessionEpoch: () => 'session_epoch + 1' }),
    );
    return user;
  }

  @Handles(AcceptLegalPages)
  async accept(versions: LegalVersionFields, call: Call): Promise<void> {
    await this.changes.commitOwn(call, (manager, { id }) => acceptPages(manager, id, versions));
  }

  private async unlessCacheFails<T>(step: () => Promise<T>): Promise<T | null> {
    try {
      return await step();
    } catch (err) {
      this.logger.warn({ err, msg: 'Could not use the cache for a user; reading from the database' });
      return null;
    }
  }
}
