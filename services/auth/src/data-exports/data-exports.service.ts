import {
  type DataExport,
  DataExportMail,
  type DataExportPartRequest,
  DomainError,
  GetDataExport,
  GetDataExportPart,
  type Nothing,
  RequestDataExport,
  type RequestDataExportRequest,
} from '@meetmark/contracts';
import { type Call, callerId, Handles, inTransaction, OutboxWriter } from '@meetmark/platform';
import { Controller } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { lockCaller } from '../users/caller.js';

@Controller()
export class DataExportsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: OutboxWriter,
  ) {}

  /** @throws DomainError UNAUTHORIZED */
  @Handles(RequestDataExport)
  request({ account }: RequestDataExportRequest, call: Call): Promise<DataExport> {
    return inTransaction(this.dataSource, async (manager) => {
      const { id: userId } = await lockCaller(manager, call);
      const present = await findExport(manager, userId);
      if (present !== null) return present;
      const exportId = uuid();
      await manager.query('DELETE FROM auth.data_exports WHERE user_id = $1', [userId]);
      await manager.query('INSERT INTO auth.data_exports (id, user_id, account) VALUES ($1, $2, $3)', [
        exportId,
        userId,
        account,
      ]);
      await this.outbox.add(manager, DataExportMail, { userId, exportId });
      return (await findExport(manager, userId))!;
    });
  }

  @Handles(GetDataExport)
  get(_: Nothing, call: Call): Promise<DataExport | null> {
    return findExport(this.dataSource.manager, callerId(call));
  }

  /** @throws DomainError DATA_EXPORT_NOT_FOUND */
  @Handles(GetDataExportPart)
  async getPart({ exportId, number }: DataExportPartRequest, call: Call): Promise<{ base64: string }> {
    const [part] = await this.dataSource.query<{ bytes: Buffer }[]>(
      `SELECT bytes FROM auth.data_exports AS export
       JOIN auth.data_export_parts AS part ON part.export_id = export.id AND part.attempt = export.attempt
       WHERE export.id = $1 AND export.user_id = $2 AND export.ready_at IS NOT NULL AND export.expires_at > now()
         AND part.number = $3`,
      [exportId, callerId(call), number],
    );
    if (part === undefined) throw new DomainError('DATA_EXPORT_NOT_FOUND');
    return { base64: part.bytes.toString('base64') };
  }
}

interface DataExportRow {
  id: string;
  requestedAt: Date;
  readyAt: Date | null;
  expiresAt: Date;
  size: string | null;
}

async function findExport(manager: EntityManager, userId: string): Promise<DataExport | null> {
  const [row] = await manager.query<DataExportRow[]>(
    `SELECT id, requested_at AS "requestedAt", ready_at AS "readyAt", expires_at AS "expiresAt", size
     FROM auth.data_exports WHERE user_id = $1 AND expires_at > now()`,
    [userId],
  );
  return row === undefined
    ? null
    : {
        id: row.id,
        requestedAt: row.requestedAt.toISOString(),
        readyAt: row.readyAt && row.readyAt.toISOString(),
        expiresAt: row.expiresAt.toISOString(),
        size: row.size === null ? null : Number(row.size),
      };
}
