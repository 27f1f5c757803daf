import {
  type AuditAction,
  type AuditEntry,
  type AuditFilter,
  type AuditValues,
  FORMER_MEMBER_NAME,
  ListAudit,
  type Page,
  SOMEONE,
  SOMEONE_NAME,
  VISITOR,
  VISITOR_NAME,
} from '@meetmark/contracts';
import { Handles, keysetPage } from '@meetmark/platform';
import { Controller } from '@nestjs/common';
import { Column, DataSource, Entity, PrimaryColumn, type EntityManager } from 'typeorm';

/** The database refuses to change entries, and to delete entries younger than 30 days. */
@Entity({ schema: 'admin', name: 'audit_log' })
export class AuditEntryEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  action!: AuditAction;

  @Column('uuid')
  actorId!: string;

  @Column('uuid', { nullable: true })
  subjectId!: string | null;

  /** Title of an event or name of a topic. Null for people, because accounts contain their current names. */
  @Column('text', { nullable: true })
  subjectName!: string | null;

  @Column('text', { array: true })
  changed!: string[];

  @Column('jsonb', { name: 'changed_values' })
  values!: AuditValues;

  @Column('timestamptz')
  at!: Date;
}

export async function fetchNames(manager: EntityManager, ids: string[]): Promise<Map<string, string>> {
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

@Controller()
export class AuditRepository {
  constructor(private readonly dataSource: DataSource) {}

  @Handles(ListAudit)
  async page({ actorId, subjectId, action, limit, cursor }: AuditFilter): Promise<Page<AuditEntry>> {
    const { manager } = this.dataSource;
    const query = manager.createQueryBuilder(AuditEntryEntity, 'a').where('true');
    if (actorId !== undefined) query.andWhere('a.actorId = :actorId', { actorId });
    if (subjectId !== undefined) query.andWhere('a.subjectId = :subjectId', { subjectId });
    if (action !== undefined) query.andWhere('a.action = :action', { action });
    const { items, ...rest } = await keysetPage(query, { limit, cursor }, NEWEST_FIRST);
    const people = items.flatMap((row) => [row.actorId, ...(isAboutPerson(row) ? [row.subjectId] : [])]);
    const names = await fetchNames(manager, people);
    names.set(VISITOR, VISITOR_NAME).set(SOMEONE, SOMEONE_NAME);
    const getName = (id: string) => names.get(id) ?? FORMER_MEMBER_NAME;
    return {
      items: items.map((row) => ({
        ...row,
        actorName: getName(row.actorId),
        subjectName: isAboutPerson(row) ? getName(row.subjectId) : row.subjectName,
        at: row.at.toISOString(),
      })),
      ...rest,
    };
  }
}

const ABOUT_THINGS = /^(event|message|topic)\./;
const isAboutPerson = (row: AuditEntryEntity): row is AuditEntryEntity & { subjectId: string } =>
  row.subjectId !== null && !ABOUT_THINGS.test(row.action);
