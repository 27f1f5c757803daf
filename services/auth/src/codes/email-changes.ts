import { Injectable } from '@nestjs/common';
import {
  AddressTakenMail,
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
import { type CodePurpose, openWayBack, takeWayBack, wayBackOf } from '../flows/code-flows.repository.js';
import { hashSecret, newLink } from '../flows/code-secrets.js';
import { Verification } from './verification.js';

interface Step {
  step: CodePurpose;
  newEmail: string;
  asker: Asker | null;
  browserHash?: Buffer;
}

/** How an account comes to another address, and back. Each works in the caller's transaction, the user locked, unless it says otherwise. */
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

  /** `shown`: the caller has given the password, so the new address is written to at once. */
  async begin(
    manager: EntityManager,
    user: UserEntity,
    { newEmail, shown, asker }: { newEmail: string; shown: boolean; asker: Asker },
  ): Promise<void> {
    await setPendingEmail(manager, user.id, newEmail);
    // Of its other browsers too: one change at a time.
    await this.flows.endAddressChange(manager, user.id);
    await this.send(manager, user, { step: shown ? 'change-new' : 'change-present', newEmail, asker });
  }

  /** A code to the address whose turn it is. Only the mail to the new address says that it belongs to another account. */
  async send(manager: EntityManager, user: UserEntity, { step, newEmail, ...from }: Step): Promise<void> {
    const toNew = step === 'change-new';
    const holder = toNew ? await findUserByEmail(manager, newEmail) : null;
    const taken = holder !== null && holder.id !== user.id;
    await this.flows.open(manager, {
      purpose: toNew ? 'change-new' : 'change-present',
      email: toNew ? newEmail : user.email.toLowerCase(),
      newEmail,
      userId: user.id,
      silent: taken,
      ...from,
    });
    if (taken) await this.outbox.add(manager, AddressTakenMail, { userId: holder.id });
  }

  async cancel(manager: EntityManager, userId: string): Promise<void> {
    await forgetPendingEmail(manager, userId);
    await this.flows.endAddressChange(manager, userId);
  }

  /**
   * An administrator vouches for the new address. Members who have proved the old one keep the account as it is, and are mailed there; an
   * account with an address that is not proved may be a stranger's.
   */
  async follow(manager: EntityManager, before: UserEntity, email: string): Promise<void> {
    const isKnown = before.emailVerifiedAt !== null;
    await this.verification.proved(manager, before, { byItsOwner: isKnown, email });
    if (isKnown)
      await this.outbox.add(manager, EmailChangedMail, { userId: before.id, oldEmail: before.email });
  }

  /** Returns whether password and sessions ended: the new address was confirmed in a browser without a session of the account. */
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
   * A transaction of its own: the account has its old address again, and no password, session, second factor or code that it had meanwhile.
   * @throws DomainError CODE_INVALID
   */
  async revert(token: string): Promise<RevertedEmail> {
    const found = await wayBackOf(this.dataSource.manager, hashSecret(token));
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
