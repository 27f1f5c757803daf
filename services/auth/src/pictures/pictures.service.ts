import { Injectable } from '@nestjs/common';
import { DomainError, pictureUrl, type PictureBytes, type PictureChange } from '@meetmark/contracts';
import { createHash } from 'node:crypto';
import { DataSource, type EntityManager } from 'typeorm';

@Injectable()
export class PicturesService {
  constructor(private readonly dataSource: DataSource) {}

  /** @throws DomainError PICTURE_NOT_FOUND */
  async get(hash: string): Promise<PictureBytes> {
    const [row] = await this.dataSource.query<{ bytes: Buffer }[]>(
      'SELECT bytes FROM auth.pictures WHERE hash = $1',
      [hash],
    );
    if (row === undefined) throw new DomainError('PICTURE_NOT_FOUND');
    return { base64: row.bytes.toString('base64') };
  }

  async has(hash: string): Promise<boolean> {
    const found = await this.dataSource.query<unknown[]>('SELECT FROM auth.pictures WHERE hash = $1', [hash]);
    return found.length > 0;
  }

  /**
   * The hash that the user's row is to name after the change; stores a new picture in the caller's transaction.
   * @throws DomainError VALIDATION_FAILED when another picture than the present one is to be kept, PICTURE_BROKEN
   */
  async apply(
    manager: EntityManager,
    { action, picture, url }: PictureChange,
    present: string | null,
  ): Promise<string | null> {
    if (action === 'remove') return null;
    if (action === 'keep') {
      const presentUrl = present === null ? undefined : pictureUrl('avatars', present);
      if (url !== undefined && url !== presentUrl)
        throw new DomainError('VALIDATION_FAILED', {
          fields: { profileImageUrl: ['profileImageUrl must be a data URL, the present picture or null'] },
        });
      return present;
    }
    const bytes = Buffer.from(picture?.base64 ?? '', 'base64');
    if (picture === undefined || createHash('sha256').update(bytes).digest('hex') !== picture.hash)
      throw new DomainError('PICTURE_BROKEN');
    // Renewed when it is there already: the garbage collection leaves young pictures alone.
    await manager.query(
      `INSERT INTO auth.pictures (hash, bytes, width, height) VALUES ($1, $2, $3, $4)
       ON CONFLICT (hash) DO UPDATE SET created_at = now()`,
      [picture.hash, bytes, picture.width, picture.height],
    );
    return picture.hash;
  }
}
