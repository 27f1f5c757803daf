import { Controller } from '@nestjs/common';
import {
  DomainError,
  FindMailPreferences,
  GetAvatar,
  GetMailPreferences,
  type GetPictureRequest,
  HasAvatar,
  type MailPreferenceFields,
  type MailPreferences,
  type Nothing,
  type PictureBytes,
  type SessionUser,
  SetMailPreferences,
  Unsubscribe,
  type UnsubscribeRequest,
  UpdateProfile,
  type UpdateProfileRequest,
  type UserIdRequest,
} from '@meetmark/contracts';
import { type Call, editAs, Handles, requireIdentity, PictureStore } from '@meetmark/platform';
import { DataSource, IsNull } from 'typeorm';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { EmailChanges } from '../codes/email-changes.js';
import { UserChanges } from '../users/user-changes.js';
import { UserEntity } from '../users/user.entity.js';
import { chooseMailLists, normalisedUrl, refuseStale } from '../users/users.repository.js';

@Controller()
export class ProfilesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly changes: UserChanges,
    private readonly pictures: PictureStore,
    private readonly hasher: PasswordHasher,
    private readonly emailChanges: EmailChanges,
  ) {}

  /**
   * @throws DomainError EDIT_CONFLICT, VALIDATION_FAILED, PICTURE_BROKEN, CURRENT_PASSWORD_INCORRECT,
   * UNAUTHORIZED
   */
  @Handles(UpdateProfile)
  async update(
    { picture, email, currentPassword, asker, version, ...fields }: UpdateProfileRequest,
    call: Call,
  ): Promise<SessionUser> {
    const { sub } = requireIdentity(call);
    const shown = currentPassword === undefined ? null : await this.showPassword(sub, currentPassword);
    const { user } = await this.changes.commitOwn(call, async (manager, present) => {
      // a concurrent change has replaced the password that was checked above
      if (shown !== null && present.passwordHash !== shown)
        throw new DomainError('CURRENT_PASSWORD_INCORRECT');
      const profilePictureHash = await this.pictures.apply(manager, picture, present.profilePictureHash);
      const after = {
        ...fields,
        ...(fields.linkedInUrl === undefined
          ? {}
          : { linkedInUrl: normalisedUrl(fields.linkedInUrl, 'linkedInUrl') }),
        profilePictureHash,
      };
      const newEmail = email === undefined || email === present.email.toLowerCase() ? null : email;
      // an edit without an email address can't conflict with a concurrent change of the address
      await refuseStale(manager, present, version, { ...after, email: newEmail ?? present.email }, present);
      await editAs(manager, sub);
      await manager.update(UserEntity, { id: sub }, after);
      if (newEmail !== null)
        await this.emailChanges.begin(manager, present, { newEmail, shown: shown !== null, asker });
    });
    return user;
  }

  private async showPassword(userId: string, password: string): Promise<string> {
    const user = await this.dataSource.manager.findOneBy(UserEntity, { id: userId });
    if (user === null) throw new DomainError('UNAUTHORIZED');
    const fits = await this.hasher.verify(user.passwordHash ?? undefined, password);
    if (!fits || user.passwordHash === null) throw new DomainError('CURRENT_PASSWORD_INCORRECT');
    return user.passwordHash;
  }

  @Handles(GetMailPreferences)
  async mailPreferences(_: Nothing, call: Call): Promise<MailPreferences> {
    const user = await this.dataSource.manager.findOneBy(UserEntity, { id: requireIdentity(call).sub });
    if (user === null) throw new DomainError('UNAUTHORIZED');
    return toPreferences(user);
  }

  @Handles(SetMailPreferences)
  async setMailPreferences(
    { eventUpdates, reminders, messages, announcements, digest }: MailPreferenceFields,
    call: Call,
  ): Promise<MailPreferences> {
    const chosen = { eventUpdates, reminders, messages, announcements, digest };
    const { result } = await this.changes.commitOwn(call, async (manager, { id }) => {
      await manager.update(UserEntity, { id }, chosen);
      return toPreferences(await manager.findOneByOrFail(UserEntity, { id }));
    });
    return result;
  }

  @Handles(FindMailPreferences)
  async findMailPreferences({ userId }: UserIdRequest): Promise<MailPreferences | null> {
    const user = await this.dataSource.manager.findOneBy(UserEntity, { id: userId });
    return user && toPreferences(user);
  }

  @Handles(Unsubscribe)
  async unsubscribe(request: UnsubscribeRequest): Promise<void> {
    await this.changes.commit(request.userId, (manager) => chooseMailLists(manager, request));
  }

  @Handles(GetAvatar)
  async getAvatar({ hash }: GetPictureRequest): Promise<PictureBytes> {
    if (!(await this.hasAvatar({ hash }))) throw new DomainError('PICTURE_NOT_FOUND');
    return this.pictures.get(hash);
  }

  /** Hides the photo of a closed account. */
  @Handles(HasAvatar)
  hasAvatar({ hash }: GetPictureRequest): Promise<boolean> {
    return this.dataSource.manager.existsBy(UserEntity, { profilePictureHash: hash, closedAt: IsNull() });
  }
}

export const avatars = {
  provide: PictureStore,
  inject: [DataSource],
  useFactory: (dataSource: DataSource) =>
    new PictureStore(dataSource, {
      schema: 'auth',
      kind: 'avatars',
      field: 'profileImageUrl',
      rule: 'must be a data URL, the current image or null',
    }),
};

const toPreferences = (user: UserEntity): MailPreferences => {
  const { eventUpdates, reminders, messages, announcements, digest } = user;
  return { eventUpdates, reminders, messages, announcements, digest };
};
