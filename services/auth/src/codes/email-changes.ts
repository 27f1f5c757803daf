import { Injectable } from '@nestjs/common';
import {
  type Asker,
  DomainError,
  EmailChangedMail,
  type RevertedEmail,
  revertSeal,
} from '@meetmark/contracts';
import { OutboxWriter, sealText } from '@meetmark/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { AuthConfig } from '../auth.config.js';
import { UserChanges } from '../users/user-changes.js';
import type { UserEntity } from '../users/user.entity.js';
import { findUserByEmail, forgetPendingEmail, lockUser, setPendingEmail } from '../users/users.repository.js';
import { CodeFlows } from '../flows/code-flows.js';
import { type CodePurpose, openWayBack, takeWayBack, findWayBack } from '../flows/code-flows.repository.js';
import { hashSecret, newLink } from '../flows/code-secrets.js';
import { Verification } from './verification.js';

interface Step {
  step: CodePurpose;
  newEmail: string;
  asker: Asker | null;
  browserHash?: Buffer;
}

/** Unless stated otherwise, methods run in the caller's transaction, which has locked the user's row. */
@Injectable()
export class EmailChanges {
  constructor(
    private readonly dataSource: DataSource,
    private readonly config: AuthConfig,
    private readonly flows: CodeFlows,
    private readonly changes: UserChanges,
    private readonly verification: Verification,
    private readonly outbox: OutboxWriter,
  ) {}

  /** @param shown whether the caller gave the password. If so, the current email address needs no code. */
  async begin(
    manager: EntityManager,
    user: UserEntity,
    { newEmail, shown, asker }: { newEmail: string; shown: boolean; asker: Asker },
  ): Promise<void> {
    await setPendingEmail(manager, user.id, newEmail);
    // cancels changes that other browsers began, because only one change can be pending
    await this.flows.endAddressChange(manager, user.id);
    await this.send(manager, user, { step: shown ? 'change-new' : 'change-present', newEmail, asker });
  }

  /** Only an email to the new address reveals whether another account uses that address. */
  async send(manager: EntityManager, user: UserEntity, { step, newEmail, ...from }: Step): Promise<void> {
    const toNew = step === 'change-new';
    const holder = toNew ? await findUserByEmail(manager, newEmail) : null;
    await this.flows.open(manager, {
      purpose: toNew ? 'change-new' : 'change-present',
      email: toNew ? newEmail : user.email.toLowerCase(),
      newEmail,
      userId: user.id,
      takenFrom: holder !== null && holder.id !== user.id ? holder.id : undefined,
      ...from,
    });
  }

  async cancel(manager: EntityManager, userId: string): Promise<void> {
    await forgetPendingEmail(manager, userId);
    await this.flows.endAddressChange(manager, userId);
  }

  /** Ends all access if the previous address was unverified: a stranger may have created the account. */
  async follow(manager: EntityManager, before: UserEntity, email: string): Promise<void> {
    const isKnown = before.emailVerifiedAt !== null;
    await this.verification.proved(manager, before, { byItsOwner: isKnown, email });
    if (isKnown)
      await this.outbox.add(manager, EmailChangedMail, { userId: before.id, oldEmail: before.email });
  }

  /** Ends all access unless the browser is signed in to the account. Returns whether access ended. */
  async takeEffect(
    manager: EntityManager,
    user: UserEntity,
    email: string,
    byItsOwner: boolean,
  ): Promise<boolean> {
    if (user.emailVerifiedAt !== null) await this.offerTheWayBack(manager, user);
    return this.verification.proved(manager, user, { byItsOwner, email });
  }

  /**
   * Runs in its own transaction. Removes the password and the second factors added since the change, and ends
   * all sessions and codes.
   * @throws DomainError CODE_INVALID
   */
  async revert(token: string): Promise<RevertedEmail> {
    const found = await findWayBack(this.dataSource.manager, hashSecret(token));
    if (found === null) throw new DomainError('CODE_INVALID');
    const { result } = await this.changes.commit(
      found.userId,
      async (manager): Promise<RevertedEmail> => {
        const user = await lockUser(manager, found.userId);
        const email = await takeWayBack(manager, found.id);
        if (user === null || email === null) throw new DomainError('CODE_INVALID');
        await this.verification.proved(manager, user, {
          byItsOwner: false,
          email,
          backTo: found.changedAt,
        });
        const { link: resetToken } = await this.flows.open(manager, {
          purpose: 'reset',
          email,
          userId: user.id,
          asker: null,
          silent: true,
        });
        return { email, resetToken };
      },
      { users_email_key: 'CODE_INVALID' },
    );
    return result;
  }

  private async offerTheWayBack(manager: EntityManager, { id: userId, email }: UserEntity): Promise<void> {
    const [id, link] = [uuid(), newLink()];
    const sealed = sealText(link, revertSeal(id), this.config.resetCodeSecrets);
    await openWayBack(manager, { id, userId, email, linkHash: hashSecret(link), sealed });
    await this.outbox.add(manager, EmailChangedMail, { userId, oldEmail: email, revertId: id });
  }
}
