import { Injectable } from '@nestjs/common';
import { DomainError, pictureUrl, type PictureBytes, type PictureChange } from '@meetmark/contracts';
import { DataSource, type EntityManager } from 'typeorm';
import { PictureEntity } from './picture.entity.js';

@Injectable()
export class PicturesService {
  constructor(private readonly dataSource: DataSource) {}

  /** @throws DomainError PICTURE_NOT_FOUND */
  async get(hash: string): Promise<PictureBytes> {
    const picture = await this.dataSource.manager.findOneBy(PictureEntity, { hash });
    if (!picture) throw new DomainError('PICTURE_NOT_FOUND');
    return { base64: picture.bytes.toString('base64') };
  }

  /**
   * Does what a form asks and returns the hash that the event is to have. `present` is the one that it has; a new event has none
   * (undefined) and may take over another's, so that a copy has it too: that it exists is for the foreign key to say.
   * @throws DomainError PICTURE_NOT_FOUND, VALIDATION_FAILED
   */
  async apply(
    manager: EntityManager,
    { action, picture, url }: PictureChange,
    present?: string | null,
  ): Promise<string | null> {
    if (action === 'remove') return null;
    if (action === 'keep') return present === undefined ? hashOf(url ?? '') : kept(present, url);
    if (!picture)
      throw new DomainError('VALIDATION_FAILED', { fields: { picture: ['picture is required'] } });
    const { hash, base64, width, height } = picture;
    // A picture that is stored again counts as new: the collector of unused ones leaves it alone for a while.
    await manager
      .createQueryBuilder()
      .insert()
      .into(PictureEntity)
      .values({ hash, bytes: Buffer.from(base64, 'base64'), width, height })
      .orUpdate(['created_at'], ['hash'])
      .execute();
    return hash;
  }
}

function kept(present: string | null, url: string | undefined): string | null {
  if (url !== undefined && (present === null || url !== pictureUrl('banners', present)))
    throw new DomainError('VALIDATION_FAILED', {
      fields: { bannerImageUrl: ["bannerImageUrl must be a data URL, the event's present banner or null"] },
    });
  return present;
}

function hashOf(url: string): string {
  const hash = /[0-9a-f]{64}/.exec(url)?.[0] ?? '';
  if (url !== pictureUrl('banners', hash)) throw new DomainError('PICTURE_NOT_FOUND');
  return hash;
}
