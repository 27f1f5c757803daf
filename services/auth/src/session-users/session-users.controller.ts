import { Controller } from '@nestjs/common';
import { GetSessionUser, type SessionUser, type UserIdRequest } from '@meetmark/contracts';
import { Handles } from '@meetmark/platform';
import { SessionUsersService } from './session-users.service.js';

@Controller()
export class SessionUsersController {
  constructor(private readonly sessionUsers: SessionUsersService) {}

  @Handles(GetSessionUser)
  get({ userId }: UserIdRequest): Promise<SessionUser | null> {
    return this.sessionUsers.get(userId);
  }
}
