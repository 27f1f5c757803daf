import { createHash } from 'node:crypto';
import {
  DomainError,
  invalidFields,
  pictureUrl,
  type PictureBytes,
  type PictureChange,
} from '@meetmark/contracts';
import type { DataSource, EntityManager } from 'typeorm';

interface PictureStoreOptions {
  schema: string;
  kind: Parameters<typeof pictureUrl>[0];
  field: string;
  rule: string;
}

/** Stores images by the SHA-256 of their bytes, so that equal images are stored once. */
export class PictureStore {
  constructor(
    private readonly dataSource: DataSource,
    private readonly options: PictureStoreOptions,
  ) {}

  /** @throws DomainError PICTURE_NOT_FOUND */
  async get(hash: string): Promise<PictureBytes> {
    const [row] = await this.dataSource.query<{ bytes: Buffer }[]>(
      `SELECT bytes FROM ${this.options.schema}.pictures WHERE hash = $1`,
      [hash],
    );
    if (row === undefined) throw new DomainError('PICTURE_NOT_FOUND');
    return { base64: row.bytes.toString('base64') };
  }

  async has(hash: string, run: Pick<EntityManager, 'query'> = this.dataSource): Promise<boolean> {
    const found = await run.query<unknown[]>(`SELECT FROM ${this.options.schema}.pictures WHERE hash = $1`, [
      hash,
    ]);
    return found.length > 0;
  }

  /**
   * @param present hash of the row's current image; null if it has none; undefined for a new row, which may
   * use another row's image
   * @throws DomainError PICTURE_NOT_FOUND, PICTURE_BROKEN, VALIDATION_FAILED
   */
  async apply(
    manager: EntityManager,
    { action, picture, url }: PictureChange,
    present?: string | null,
  ): Promise<string | null> {
    if (action === 'remove') return null;
    if (action === 'keep') return present === undefined ? this.hashIn(url ?? '') : this.kept(present, url);
    const bytes = Buffer.from(picture?.base64 ?? '', 'base64');
    if (picture === undefined || createHash('sha256').update(bytes).digest('hex') !== picture.hash)
      throw new DomainError('PICTURE_BROKEN');
    // If the image is already stored, the new timestamp keeps the clean-up from deleting it.
    await manager.query(
      `INSERT INTO ${this.options.schema}.pictures (hash, bytes, width, height) VALUES ($1, $2, $3, $4)
       ON CONFLICT (hash) DO UPDATE SET created_at = now()`,
      [picture.hash, bytes, picture.width, picture.height],
    );
    return picture.hash;
  }

  private kept(present: string | null, url: string | undefined): string | null {
    const { kind, field, rule } = this.options;
    if (url !== undefined && (present === null || url !== pictureUrl(kind, present)))
      throw invalidFields([field, rule]);
    return present;
  }

  private hashIn(url: string): string {
    const hash = /[0-9a-f]{64}/.exec(url)?.[0] ?? '';
    if (url !== pictureUrl(this.options.kind, hash)) throw new DomainError('PICTURE_NOT_FOUND');
    return hash;
  }
}
