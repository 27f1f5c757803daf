import { Controller, Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import {
  EndSessions,
  GetSessionUser,
  type Nothing,
  type SessionUser,
  type UserIdRequest,
} from '@meetmark/contracts';
import { Repository } from 'typeorm';
import { type Call, Handles } from '@meetmark/platform';
import { SessionUserCache } from './session-user.cache.js';
import { UserChanges } from './user-changes.js';
import { presentSessionUser, UserEntity } from './user.entity.js';

@Injectable()
export class SessionUsersService {
  private readonly logger = new Logger(SessionUsersService.name);

  constructor(
    @InjectRepository(UserEntity) private readonly users: Repository<UserEntity>,
    private readonly cache: SessionUserCache,
  ) {}

  /** The user as the database has them, which the gateways' cache learns on the way. */
  async get(userId: string): Promise<SessionUser | null> {
    const marker = await this.unlessCacheFails(() => this.cache.markReading(userId));
    const row = await this.users.findOneBy({ id: userId });
    const user = row && presentSessionUser(row);
    if (marker) await this.unlessCacheFails(() => this.cache.fill(marker, user));
    return user;
  }

  private async unlessCacheFails<T>(step: () => Promise<T>): Promise<T | null> {
    try {
      return await step();
    } catch (err) {
      this.logger.warn({ err, msg: 'a user is answered past the cache' });
      return null;
    }
  }
}

@Controller()
export class SessionUsersController {
  constructor(
    private readonly sessionUsers: SessionUsersService,
    private readonly changes: UserChanges,
  ) {}

  @Handles(GetSessionUser)
  get({ userId }: UserIdRequest): Promise<SessionUser | null> {
    return this.sessionUsers.get(userId);
  }

  @Handles(EndSessions)
  async end(_request: Nothing, call: Call): Promise<SessionUser> {
    const { user } = await this.changes.commitOwn(call, (manager, { id }) =>
      manager.update(UserEntity, { id }, { sessionEpoch: () => 'session_epoch + 1' }),
    );
    return user;
  }
}
