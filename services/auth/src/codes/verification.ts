import { Injectable } from '@nestjs/common';
import { HeldConfirmations, PasswordChangedMail, WelcomeMail } from '@meetmark/contracts';
import { OutboxWriter } from '@meetmark/platform';
import type { EntityManager } from 'typeorm';
import { SecondFactorsRepository } from '../second-factors/second-factors.repository.js';
import type { UserEntity } from '../users/user.entity.js';
import { endAccess, verifyEmail } from '../users/users.repository.js';
import { endFlows } from '../flows/code-flows.repository.js';

/** Seconds after which every email in progress has been sent or held back. */
const SETTLED = 10;

export interface Proof {
  /** Whether the browser that proved the email address is signed in to the account. */
  byItsOwner: boolean;
  email?: string;
  /** Whether the caller sets a new password later in the same transaction. */
  withPassword?: boolean;
  /** Time of the email change that is being undone. Second factors added before that time stay. */
  backTo?: Date;
}

/** The only place that verifies email addresses. */
@Injectable()
export class Verification {
  constructor(
    private readonly outbox: OutboxWriter,
    private readonly factors: SecondFactorsRepository,
  ) {}

  /**
   * Call it with the user's row locked. The first verification of an email address ends all access unless the
   * browser is signed in: a stranger may have created the account. Returns whether access ended.
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

  private async greet(manager: EntityManager, user: UserEntity, passwordEnded: boolean): Promise<void> {
    if (user.emailVerifiedAt !== null) return;
    await this.outbox.add(manager, WelcomeMail, { userId: user.id, passwordEnded });
    await this.outbox.add(
      manager,
      HeldConfirmations,
      { userId: user.id },
      { notBefore: new Date(Date.now() + SETTLED * 1_000) },
    );
  }
}
