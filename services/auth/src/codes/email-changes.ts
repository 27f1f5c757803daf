import { Injectable } from '@nestjs/common';
import {
  AddressTakenMail,
  type Asker,
  DomainError,
  EMAIL_REVERT_LIFETIME,
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
import { findUserByEmail, lockUser } from '../users/users.repository.js';
import { CodeFlows } from '../flows/code-flows.js';
import type { CodePurpose } from '../flows/code-flows.repository.js';
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
    await manager.query('UPDATE auth.users SET pending_email = $2, pending_email_at = now() WHERE id = $1', [
      user.id,
      newEmail,
    ]);
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
    await manager.query(
      'UPDATE auth.users SET pending_email = NULL, pending_email_at = NULL WHERE id = $1 AND pending_email IS NOT NULL',
      [userId],
    );
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
    const [found] = await this.dataSource.query<{ id: string; userId: string; changedAt: Date }[]>(
      `SELECT id, user_id AS "userId", created_at AS "changedAt" FROM auth.email_reverts
       WHERE link_hash = $1 AND ended_at IS NULL AND expires_at > now()`,
      [hashSecret(token)],
    );
    if (found === undefined) throw new DomainError('CODE_INVALID');
    const { result } = await this.changes.commit(
      found.userId,
      async (manager): Promise<RevertedEmail> => {
        const user = await lockUser(manager, found.userId);
        const email = await this.useUp(manager, found.id);
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

  /** Ends the ways back that later changes opened: their author must not undo this. */
  private async useUp(manager: EntityManager, id: string): Promise<string | null> {
    const [rows] = await manager.query<[{ id: string; email: string }[], number]>(
      `UPDATE auth.email_reverts SET ended_at = now(), sealed = NULL
       WHERE ended_at IS NULL AND expires_at > now() AND (user_id, created_at) IN (
         SELECT later.user_id, later.created_at FROM auth.email_reverts later JOIN auth.email_reverts this
           ON this.id = $1 AND later.user_id = this.user_id AND later.created_at >= this.created_at)
       RETURNING id, email`,
      [id],
    );
    return rows.find((row) => row.id === id)?.email ?? null;
  }

  private async offerTheWayBack(manager: EntityManager, { id: userId, email }: UserEntity): Promise<void> {
    const [id, link] = [uuid(), newLink()];
    await manager.query(
      `INSERT INTO auth.email_reverts (id, user_id, email, link_hash, sealed, expires_at)
       VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 millisecond')`,
      [
        id,
        userId,
        email,
        hashSecret(link),
        sealText(link, revertSeal(id), this.config.resetCodeSecrets),
        EMAIL_REVERT_LIFETIME,
      ],
    );
    await this.outbox.add(manager, EmailChangedMail, { userId, oldEmail: email, revertId: id });
  }
}
