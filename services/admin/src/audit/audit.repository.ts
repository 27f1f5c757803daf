import type { AuditAction, AuditValues } from '@meetmark/contracts';
import { Column, Entity, PrimaryColumn, type EntityManager } from 'typeorm';

/** Written once by the worker; the database refuses changes, and the removal of young entries. */
@Entity({ schema: 'admin', name: 'audit_log' })
export class AuditEntryEntity {
  /** That of the outbox row that requested the entry. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  action!: AuditAction;

  @Column('uuid')
  actorId!: string;

  @Column('uuid', { nullable: true })
  subjectId!: string | null;

  /** An event's title or a topic's name; null for people, whose accounts have their names. */
  @Column('text', { nullable: true })
  subjectName!: string | null;

  @Column('text', { array: true })
  changed!: string[];

  @Column('jsonb', { name: 'changed_values' })
  values!: AuditValues;

  @Column('timestamptz')
  at!: Date;
}

/** The present names of people, by id; deleted accounts are missing. */
export async function namesOf(manager: EntityManager, ids: string[]): Promise<Map<string, string>> {
  const rows = await manager.query<{ id: string; name: string }[]>(
    `SELECT id, first_name || ' ' || last_name AS name FROM auth.member_card WHERE id = ANY ($1)`,
    [[...new Set(ids)]],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
