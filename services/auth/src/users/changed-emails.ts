import { Injectable } from '@nestjs/common';
import { EmailChangedMail } from '@meetmark/contracts';
import { OutboxWriter } from '@meetmark/platform';
import type { EntityManager } from 'typeorm';
import { endFlows } from '../codes/end-flows.js';
import { Verification } from '../codes/verification.js';
import type { UserEntity } from './user.entity.js';

@Injectable()
export class ChangedEmails {
  constructor(
    private readonly outbox: OutboxWriter,
    private readonly verification: Verification,
  ) {}

  /** An administrator vouches for the new address; the codes sent so far end, and the owner of the old one is told. */
  async follow(manager: EntityManager, before: UserEntity): Promise<void> {
    await manager.query(
      `UPDATE auth.users SET email_verified_at = now(), pending_email = NULL, pending_email_at = NULL WHERE id = $1`,
      [before.id],
    );
    await endFlows(manager, before.id);
    if (before.emailVerifiedAt === null) await this.verification.greet(manager, before, false);
    else await this.outbox.add(manager, EmailChangedMail, { userId: before.id, oldEmail: before.email });
  }
}
