import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

@Injectable()
export class KeptMaps {
  constructor(private readonly database: DataSource) {}

  async find(key: Buffer): Promise<Buffer | undefined> {
    const [row] = await this.database.sql<{ picture: Buffer }[]>`
      SELECT picture FROM gateway.maps WHERE key = ${key}`;
    return row?.picture;
  }

  async keep(key: Buffer, picture: Buffer): Promise<void> {
    await this.database.sql`
      INSERT INTO gateway.maps (key, picture) VALUES (${key}, ${picture}) ON CONFLICT DO NOTHING`;
  }
}
