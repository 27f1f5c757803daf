import { Injectable } from '@nestjs/common';
import { HeldConfirmations, PasswordChangedMail, WelcomeMail } from '@meetmark/contracts';
import { OutboxWriter } from '@meetmark/platform';
import type { EntityManager } from 'typeorm';
import { SecondFactorsRepository } from '../second-factors/second-factors.repository.js';
import type { UserEntity } from '../users/user.entity.js';
import { endAccess, noteVerified, verifyEmail } from '../users/users.repository.js';
import { endFlows } from '../flows/code-flows.repository.js';

/** Seconds: a confirmation that is just being left unsent is known to be so by then. */
const SETTLED = 10;

/** How it was shown that an address belongs to the person who has the account from now on. */
export interface Proof {
  /** Whether the browser that proved it is signed in to the account. */
  byItsOwner: boolean;
  /** The account has this address from now on; left out: it keeps the one that it has. */
  email?: string;
  /** The caller sets a new password in the same transaction, after this. */
  withPassword?: boolean;
  /** The account goes back to the address that it had before this moment: second factors from before it stay. */
  backTo?: Date;
}

/**
 * The one place where an address counts as proved: by every kind of mailed code and link, by an administrator who gives an account
 * another address, by the operator's command.
 */
@Injectable()
export class Verification {
  constructor(
    private readonly outbox: OutboxWriter,
    private readonly factors: SecondFactorsRepository,
  ) {}

  /**
   * In the caller's transaction, the user locked. Proved for the first time, or for another address, anywhere but in a browser that is
   * signed in to the account, it ends everything that opens the account or keeps its owner out: somebody else may have made it with this address.
   * Returns whether it did.
   */
  async proved(manager: EntityManager, user: UserEntity, proof: Proof): Promise<boolean> {
    const { byItsOwner, email, withPassword = false, backTo } = proof;
    const isFirst = user.emailVerifiedAt === null || email !== undefined;
    const endsAll = isFirst && !byItsOwner;
    if (isFirst) await verifyEmail(manager, user.id, email);
    if (email !== undefined || endsAll) await endFlows(manager, user.id);
    if (endsAll) {
      await endAccess(manager, user.id);
      await this.factors.forget(manager, user.id, backTo);
    }
    await this.greet(manager, user, endsAll && !withPassword);
    if (endsAll && !withPassword && user.emailVerifiedAt !== null)
      await this.outbox.add(manager, PasswordChangedMail, {
        userId: user.id,
        at: new Date().toISOString(),
        why: backTo === undefined ? 'email-verified' : 'email-reverted',
      });
    return endsAll;
  }

  /** Once, for an account that was not verified: what was held back follows. */
  private async greet(manager: EntityManager, user: UserEntity, passwordEnded: boolean): Promise<void> {
    if (user.emailVerifiedAt !== null) return;
    await noteVerified(manager, user.id);
    await this.outbox.add(manager, WelcomeMail, { userId: user.id, passwordEnded });
    await this.outbox.add(
      manager,
      HeldConfirmations,
      { userId: user.id },
      { notBefore: new Date(Date.now() + SETTLED * 1_000) },
    );
  }
}
