import { RecordAudit, type AuditAction } from '@meetmark/contracts';
import type { OutboxWriter } from '@meetmark/platform';
import type { EntityManager } from 'typeorm';

export interface AuditedEvent {
  id: string;
  title: string;
}

/** Who did what to which event, written to the audit log if the transaction commits. */
export async function auditEvent(
  outbox: OutboxWriter,
  manager: EntityManager,
  action: AuditAction,
  actorId: string,
  event: AuditedEvent,
  changed: string[] = [],
): Promise<void> {
  await outbox.add(manager, RecordAudit, {
    action,
    actorId,
    subjectId: event.id,
    subjectName: event.title,
    changed,
    at: new Date().toISOString(),
  });
}
