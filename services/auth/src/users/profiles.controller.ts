import { Controller } from '@nestjs/common';
import {
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
import { ProfilesService } from './profiles.service.js';

@Controller()
export class ProfilesController {
  constructor(private readonly profiles: ProfilesService) {}

  @Handles(UpdateProfile)
  update(request: UpdateProfileRequest, call: Call): Promise<SessionUser> {
    return this.profiles.update(request, call);
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
