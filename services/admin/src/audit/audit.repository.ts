import {
  type AuditAction,
  type AuditEntry,
  type AuditFilter,
  type AuditValues,
  DELETED_ACCOUNT,
  type Page,
  VISITOR,
  VISITOR_NAME,
} from '@meetmark/contracts';
import { keysetPage } from '@meetmark/platform';
import { Injectable } from '@nestjs/common';
import { Column, DataSource, Entity, PrimaryColumn, type EntityManager } from 'typeorm';

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

const NEWEST_FIRST = {
  name: '-at',
  key: 'a.at',
  type: 'timestamptz',
  id: 'a.id',
  direction: 'DESC',
} as const;

@Injectable()
export class AuditRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Entries refer to people by id; they show the present names. */
  async page({ actorId, subjectId, action, limit, cursor }: AuditFilter): Promise<Page<AuditEntry>> {
    const { manager } = this.dataSource;
    const query = manager.createQueryBuilder(AuditEntryEntity, 'a').where('true');
    if (actorId !== undefined) query.andWhere('a.actorId = :actorId', { actorId });
    if (subjectId !== undefined) query.andWhere('a.subjectId = :subjectId', { subjectId });
    if (action !== undefined) query.andWhere('a.action = :action', { action });
    const { items, ...rest } = await keysetPage(query, { limit, cursor }, NEWEST_FIRST);
    const people = items.flatMap((row) => [row.actorId, ...(isAboutPerson(row) ? [row.subjectId] : [])]);
    const names = await namesOf(manager, people);
    names.set(VISITOR, VISITOR_NAME);
    const nameOf = (id: string) => names.get(id) ?? DELETED_ACCOUNT;
    return {
      items: items.map((row) => ({
        ...row,
        actorName: nameOf(row.actorId),
        subjectName: isAboutPerson(row) ? nameOf(row.subjectId) : row.subjectName,
        at: row.at.toISOString(),
      })),
      ...rest,
    };
  }
}

const ABOUT_THINGS = /^(event|message|topic)\./;
const isAboutPerson = (row: AuditEntryEntity): row is AuditEntryEntity & { subjectId: string } =>
  row.subjectId !== null && !ABOUT_THINGS.test(row.action);
