import { Injectable } from '@nestjs/common';
import {
  DomainError,
  type MailPreferenceFields,
  type MailPreferences,
  type SessionUser,
  type UnsubscribeRequest,
  type UpdateProfileRequest,
  type UserIdRequest,
} from '@meetmark/contracts';
import { type Call, editAs, identityOf, PictureStore } from '@meetmark/platform';
import { DataSource } from 'typeorm';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { EmailChanges } from '../codes/email-changes.js';
import { UserChanges } from '../users/user-changes.js';
import { UserEntity } from '../users/user.entity.js';
import { chooseMailLists, normalisedUrl, refuseStale } from '../users/users.repository.js';

@Injectable()
export class ProfilesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly changes: UserChanges,
    private readonly pictures: PictureStore,
    private readonly hasher: PasswordHasher,
    private readonly emailChanges: EmailChanges,
  ) {}

  /**
   * Another address is not written: it is pending until it is confirmed.
   * @throws DomainError EDIT_CONFLICT, VALIDATION_FAILED, PICTURE_BROKEN, CURRENT_PASSWORD_INCORRECT, UNAUTHORIZED
   */
  async update(
    { picture, email, currentPassword, asker, version, ...fields }: UpdateProfileRequest,
    call: Call,
  ): Promise<SessionUser> {
    const { sub } = identityOf(call);
    const shown = currentPassword === undefined ? null : await this.showPassword(sub, currentPassword);
    const { user } = await this.changes.commitOwn(call, async (manager, present) => {
      // Changed while it was compared: the password just shown is no longer the current one.
      if (shown !== null && present.passwordHash !== shown)
        throw new DomainError('CURRENT_PASSWORD_INCORRECT');
      const profilePictureHash = await this.pictures.apply(manager, picture, present.profilePictureHash);
      const after = {
        ...fields, // what was left out is not written
        ...(fields.linkedInUrl === undefined
          ? {}
          : { linkedInUrl: normalisedUrl(fields.linkedInUrl, 'linkedInUrl') }),
        profilePictureHash,
      };
      const newEmail = email === undefined || email === present.email.toLowerCase() ? null : email;
      // an address that was changed meanwhile is not asked to be changed back
      await refuseStale(manager, present, version, { ...after, email: newEmail ?? present.email }, present);
      await editAs(manager, sub);
      await manager.update(UserEntity, { id: sub }, after);
      if (newEmail !== null)
        await this.emailChanges.begin(manager, present, { newEmail, shown: shown !== null, asker });
    });
    return user;
  }

  /** The hash that the password fits. @throws DomainError CURRENT_PASSWORD_INCORRECT */
  private async showPassword(userId: string, password: string): Promise<string> {
    const user = await this.dataSource.manager.findOneBy(UserEntity, { id: userId });
    if (user === null) throw new DomainError('UNAUTHORIZED');
    const fits = await this.hasher.verify(user.passwordHash ?? undefined, password);
    if (!fits || user.passwordHash === null) throw new DomainError('CURRENT_PASSWORD_INCORRECT');
    return user.passwordHash;
  }

  async mailPreferences(call: Call): Promise<MailPreferences> {
    const user = await this.dataSource.manager.findOneBy(UserEntity, { id: identityOf(call).sub });
    if (user === null) throw new DomainError('UNAUTHORIZED');
    return preferencesOf(user);
  }

  async setMailPreferences(
    { eventUpdates, reminders, messages, announcements, digest }: MailPreferenceFields,
    call: Call,
  ): Promise<MailPreferences> {
    const chosen = { eventUpdates, reminders, messages, announcements, digest };
    const { result } = await this.changes.commitOwn(call, async (manager, { id }) => {
      await manager.update(UserEntity, { id }, chosen);
      return preferencesOf(await manager.findOneByOrFail(UserEntity, { id }));
    });
    return result;
  }

  /** Null once the account is gone. */
  async findMailPreferences({ userId }: UserIdRequest): Promise<MailPreferences | null> {
    const user = await this.dataSource.manager.findOneBy(UserEntity, { id: userId });
    return user && preferencesOf(user);
  }

  /** Sets what the link names and leaves the rest; an account that is gone wants no mail either. */
  async unsubscribe(request: UnsubscribeRequest): Promise<void> {
    await this.changes.commit(request.userId, (manager) => chooseMailLists(manager, request));
  }
}

const preferencesOf = (user: UserEntity): MailPreferences => {
  const { eventUpdates, reminders, messages, announcements, digest } = user;
  return { eventUpdates, reminders, messages, announcements, digest };
};
