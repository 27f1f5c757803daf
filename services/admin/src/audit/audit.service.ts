import { Injectable } from '@nestjs/common';
import type { AuditEntry, AuditFilter, Page } from '@meetmark/contracts';
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

  /** People are named as they were when it happened, so nobody has to be looked up. */
  async page({ actorId, action, limit, cursor }: AuditFilter): Promise<Page<AuditEntry>> {
    const query = this.dataSource.manager.createQueryBuilder(AuditEntryEntity, 'a').where('true');
    if (actorId !== undefined) query.andWhere('a.actorId = :actorId', { actorId });
    if (action !== undefined) query.andWhere('a.action = :action', { action });
    const { items, ...rest } = await keysetPage(query, { limit, cursor }, NEWEST_FIRST);
    return { items: items.map((row) => ({ ...row, at: row.at.toISOString() })), ...rest };
  }
}
