import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** What the command that makes backups has noted. */
@Injectable()
export class BackupsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** ISO 8601; null before the first one. */
  async last(): Promise<string | null> {
    const [row] = await this.dataSource.query<{ made_at: Date }[]>('SELECT made_at FROM admin.last_backup');
    return row?.made_at.toISOString() ?? null;
  }
}
