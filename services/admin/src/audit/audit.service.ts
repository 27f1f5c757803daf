import { Injectable } from '@nestjs/common';
import { DELETED_ACCOUNT, type AuditEntry, type AuditFilter, type Page } from '@meetmark/contracts';
import { keysetPage } from '@meetmark/platform';
import { DataSource } from 'typeorm';
import { AuditEntryEntity } from './audit-entry.entity.js';

const NEWEST_FIRST = {
  name: '-at',
  key: 'a.at',
  type: 'timestamptz',
  id: 'a.id',
  direction: 'DESC',
} as const;

@Injectable()
export class AuditService {
  constructor(private readonly dataSource: DataSource) {}

  /** Entries point to people by id; they are named as their accounts name them now. */
  async page({ actorId, action, limit, cursor }: AuditFilter): Promise<Page<AuditEntry>> {
    const query = this.dataSource.manager.createQueryBuilder(AuditEntryEntity, 'a').where('true');
    if (actorId !== undefined) query.andWhere('a.actorId = :actorId', { actorId });
    if (action !== undefined) query.andWhere('a.action = :action', { action });
    const { items, ...rest } = await keysetPage(query, { limit, cursor }, NEWEST_FIRST);
    const people = items.flatMap((row) => [row.actorId, ...(isAboutPerson(row) ? [row.subjectId] : [])]);
    const names = await this.namesOf(people);
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

  private async namesOf(ids: string[]): Promise<Map<string, string>> {
    const rows = await this.dataSource.query<{ id: string; name: string }[]>(
      `SELECT id, first_name || ' ' || last_name AS name FROM auth.member_card WHERE id = ANY ($1)`,
      [[...new Set(ids)]],
    );
    return new Map(rows.map(({ id, name }) => [id, name]));
  }
}

const isAboutPerson = (row: AuditEntryEntity): row is AuditEntryEntity & { subjectId: string } =>
  row.subjectId !== null && !row.action.startsWith('event.');
