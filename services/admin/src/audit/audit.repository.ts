import type { AuditAction, AuditFilter, AuditValues } from '@meetmark/contracts';
import { Column, Entity, PrimaryColumn, type EntityManager, type SelectQueryBuilder } from 'typeorm';

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

export function auditEntries(
  manager: EntityManager,
  { actorId, subjectId, action }: Pick<AuditFilter, 'actorId' | 'subjectId' | 'action'>,
): SelectQueryBuilder<AuditEntryEntity> {
  const query = manager.createQueryBuilder(AuditEntryEntity, 'a').where('true');
  if (actorId !== undefined) query.andWhere('a.actorId = :actorId', { actorId });
  if (subjectId !== undefined) query.andWhere('a.subjectId = :subjectId', { subjectId });
  if (action !== undefined) query.andWhere('a.action = :action', { action });
  return query;
}

/** The present names of people, by id; deleted accounts are missing. */
export async function namesOf(manager: EntityManager, ids: string[]): Promise<Map<string, string>> {
  const rows = await manager.query<{ id: string; name: string }[]>(
    `SELECT id, first_name || ' ' || last_name AS name FROM auth.member_card WHERE id = ANY ($1)`,
    [[...new Set(ids)]],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
