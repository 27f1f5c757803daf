import { Controller } from '@nestjs/common';
import {
  ChangePassword,
  type ChangePasswordRequest,
  FindMailPreferences,
  GetMailPreferences,
  type MailPreferenceFields,
  type MailPreferences,
  type Nothing,
  type SessionUser,
  SetMailPreferences,
  Unsubscribe,
  type UnsubscribeRequest,
  UpdateProfile,
  type UpdateProfileRequest,
  type UserIdRequest,
} from '@meetmark/contracts';
import { type Call, Handles } from '@meetmark/platform';
import { PasswordsService } from '../passwords/passwords.service.js';
import { ProfilesService } from './profiles.service.js';

/** What members change of their own accounts. */
@Controller()
export class ProfilesController {
  constructor(
    private readonly profiles: ProfilesService,
    private readonly passwords: PasswordsService,
  ) {}

  @Handles(UpdateProfile)
  update(request: UpdateProfileRequest, call: Call): Promise<SessionUser> {
    return this.profiles.update(request, call);
  }

  @Handles(ChangePassword)
  changePassword(request: ChangePasswordRequest, call: Call): Promise<SessionUser> {
    return this.passwords.change(request, call);
  }

  @Handles(GetMailPreferences)
  mailPreferences(_request: Nothing, call: Call): Promise<MailPreferences> {
    return this.profiles.mailPreferences(call);
  }

  @Handles(SetMailPreferences)
  setMailPreferences(request: MailPreferenceFields, call: Call): Promise<MailPreferences> {
    return this.profiles.setMailPreferences(request, call);
  }

  @Handles(FindMailPreferences)
  findMailPreferences(request: UserIdRequest): Promise<MailPreferences | null> {
    return this.profiles.findMailPreferences(request);
  }

  @Handles(Unsubscribe)
  unsubscribe(request: UnsubscribeRequest): Promise<void> {
    return this.profiles.unsubscribe(request);
  }
}
