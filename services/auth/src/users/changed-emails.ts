import { Injectable } from '@nestjs/common';
import { EmailChangedMail } from '@meetmark/contracts';
import { OutboxWriter } from '@meetmark/platform';
import type { EntityManager } from 'typeorm';
import { killResetCodes } from '../reset-codes/kill-reset-codes.js';
import type { UserEntity } from './user.entity.js';

@Injectable()
export class ChangedEmails {
  constructor(private readonly outbox: OutboxWriter) {}

  /** When the address becomes another one: the codes sent to the old one die, and its owner is told. */
  async follow(manager: EntityManager, before: UserEntity, email: string): Promise<void> {
    if (before.email.toLowerCase() === email.toLowerCase()) return;
    await killResetCodes(manager, before.id);
    await this.outbox.add(manager, EmailChangedMail, { userId: before.id, oldEmail: before.email });
  }
}
