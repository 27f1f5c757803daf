import { Injectable } from '@nestjs/common';
import {
  DomainError,
  type MailPreferences,
  type SessionUser,
  type UnsubscribeRequest,
  type UpdateProfileRequest,
  type UserIdRequest,
} from '@meetmark/contracts';
import type { Call } from '@meetmark/platform';
import { DataSource } from 'typeorm';
import { PicturesService } from '../pictures/pictures.service.js';
import { UserChanges } from '../session-users/user-changes.js';
import { identityOf, lockCaller } from '../users/caller.js';
import { ChangedEmails } from '../users/changed-emails.js';
import { normalisedUrl } from '../users/new-user.js';
import { UserEntity } from '../users/user.entity.js';

@Injectable()
export class ProfilesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly changes: UserChanges,
    private readonly pictures: PicturesService,
    private readonly changedEmails: ChangedEmails,
  ) {}

  async update({ picture, ...fields }: UpdateProfileRequest, call: Call): Promise<SessionUser> {
    const { sub } = identityOf(call);
    const { user } = await this.changes.commit(sub, async (manager) => {
      const present = await lockCaller(manager, call);
      const email = fields.email ?? present.email;
      const profilePictureHash = await this.pictures.apply(manager, picture, present.profilePictureHash);
      await manager.update(
        UserEntity,
        { id: sub },
        {
          ...fields, // what was left out is not written
          email,
          ...(fields.linkedInUrl === undefined
            ? {}
            : { linkedInUrl: normalisedUrl(fields.linkedInUrl, 'linkedInUrl') }),
          profilePictureHash,
        },
      );
      await this.changedEmails.follow(manager, present, email);
    });
    if (user === null) throw new DomainError('UNAUTHORIZED');
    return user;
  }

  async mailPreferences(call: Call): Promise<MailPreferences> {
    const user = await this.dataSource.manager.findOneBy(UserEntity, { id: identityOf(call).sub });
    if (user === null) throw new DomainError('UNAUTHORIZED');
    return { eventUpdates: user.eventUpdates, reminders: user.reminders };
  }

  async setMailPreferences(
    { eventUpdates, reminders }: MailPreferences,
    call: Call,
  ): Promise<MailPreferences> {
    const { sub } = identityOf(call);
    await this.changes.commit(sub, async (manager) => {
      await lockCaller(manager, call);
      await manager.update(UserEntity, { id: sub }, { eventUpdates, reminders });
    });
    return { eventUpdates, reminders };
  }

  /** Null once the account is gone. */
  async findMailPreferences({ userId }: UserIdRequest): Promise<MailPreferences | null> {
    const user = await this.dataSource.manager.findOneBy(UserEntity, { id: userId });
    return user && { eventUpdates: user.eventUpdates, reminders: user.reminders };
  }

  /** Sets what the link names and leaves the rest; an account that is gone wants no mail either. */
  async unsubscribe({ userId, eventUpdates, reminders }: UnsubscribeRequest): Promise<void> {
    await this.changes.commit(userId, (manager) =>
      manager.query(
        `UPDATE auth.users SET event_updates = coalesce($2, event_updates), reminders = coalesce($3, reminders)
         WHERE id = $1`,
        [userId, eventUpdates ?? null, reminders ?? null],
      ),
    );
  }
}
