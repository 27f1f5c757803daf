import { Injectable } from '@nestjs/common';
import { HeldConfirmations, PasswordChangedMail, WelcomeMail } from '@meetmark/contracts';
import { OutboxWriter } from '@meetmark/platform';
import type { EntityManager } from 'typeorm';
import { SecondFactorsRepository } from '../second-factors/second-factors.repository.js';
import type { UserEntity } from '../users/user.entity.js';
import { endFlows } from './code-flows.js';

/** Seconds: a confirmation that is just being left unsent is known to be so by then. */
const SETTLED = 10;

/** What follows once somebody has shown that an account's address is theirs. */
@Injectable()
export class Verification {
  constructor(
    private readonly outbox: OutboxWriter,
    private readonly factors: SecondFactorsRepository,
  ) {}

  /**
   * In the caller's transaction, the user locked. `byItsOwner`: shown in a browser that is signed in to the account. In any other
   * the password, the sessions, the factors, the feed and the codes set before end, because somebody else may have made the account with
   * this address and would keep a way in. Returns whether they did.
   */
  async verify(manager: EntityManager, user: UserEntity, byItsOwner: boolean): Promise<boolean> {
    await manager.query(
      `UPDATE auth.users SET email_verified_at = now()
         ${byItsOwner ? '' : ', password_hash = NULL, session_epoch = session_epoch + 1, feeds_ended_at = now()'}
       WHERE id = $1`,
      [user.id],
    );
    if (!byItsOwner) {
      await endFlows(manager, user.id);
      await this.factors.removeAll(manager, user.id);
    }
    await this.greet(manager, user, !byItsOwner);
    if (!byItsOwner && user.emailVerifiedAt !== null)
      await this.outbox.add(manager, PasswordChangedMail, {
        userId: user.id,
        at: new Date().toISOString(),
        why: 'email-verified',
      });
    return !byItsOwner;
  }

  /** Once, for an account that was not verified: what was held back follows. */
  async greet(manager: EntityManager, user: UserEntity, passwordEnded: boolean): Promise<void> {
    if (user.emailVerifiedAt !== null) return;
    await manager.query('DELETE FROM auth.unverified_accounts WHERE user_id = $1', [user.id]);
    await this.outbox.add(manager, WelcomeMail, { userId: user.id, passwordEnded });
    await this.outbox.add(
      manager,
      HeldConfirmations,
      { userId: user.id },
      { notBefore: new Date(Date.now() + SETTLED * 1_000) },
    );
  }
}
