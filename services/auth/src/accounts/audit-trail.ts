import { Injectable } from '@nestjs/common';
import { RecordAudit, type AuditAction } from '@meetmark/contracts';
import { OutboxWriter } from '@meetmark/platform';
import type { EntityManager } from 'typeorm';
import type { UserEntity } from '../users/user.entity.js';

/** Asks, in the transaction of what was done, for its line in the audit log. */
@Injectable()
export class AuditTrail {
  constructor(private readonly outbox: OutboxWriter) {}

  async record(
    manager: EntityManager,
    action: AuditAction,
    actor: UserEntity,
    subject: UserEntity | null,
    changed: string[] = [],
  ): Promise<void> {
    await this.outbox.add(manager, RecordAudit, {
      action,
      actorId: actor.id,
      subjectId: subject?.id ?? null,
      subjectName: null, // an entry points to people by id: their names stand with the accounts, and go with them
      changed,
      at: new Date().toISOString(),
    });
  }
}
