import { Controller, Injectable } from '@nestjs/common';
import {
  type AuditEntry,
  type AuditFilter,
  DELETED_ACCOUNT,
  ListAudit,
  type Page,
} from '@meetmark/contracts';
import { Handles, keysetPage } from '@meetmark/platform';
import { DataSource } from 'typeorm';
import { AuditEntryEntity, namesOf } from './audit.repository.js';

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

@Controller()
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Handles(ListAudit)
  page(filter: AuditFilter): Promise<Page<AuditEntry>> {
    return this.audit.page(filter);
  }
}
