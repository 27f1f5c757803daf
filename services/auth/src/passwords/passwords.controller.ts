import { Controller } from '@nestjs/common';
import { ChangePassword, type ChangePasswordRequest, type SessionUser } from '@meetmark/contracts';
import { type Call, Handles } from '@meetmark/platform';
import { PasswordsService } from './passwords.service.js';

@Controller()
export class PasswordsController {
  constructor(private readonly passwords: PasswordsService) {}

  @Handles(ChangePassword)
  change(request: ChangePasswordRequest, call: Call): Promise<SessionUser> {
    return this.passwords.change(request, call);
  }
}
