import {
  EndSessions,
  GetSessionUser,
  type Nothing,
  type SessionUser,
  type UserIdRequest,
} from '@meetmark/contracts';
import { type Call, Handles } from '@meetmark/platform';
import { Controller } from '@nestjs/common';
import { SessionUsersService } from './session-user.cache.js';
import { UserChanges } from './user-changes.js';
import { UserEntity } from './user.entity.js';

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
