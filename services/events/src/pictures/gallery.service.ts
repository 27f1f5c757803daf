import { Controller } from '@nestjs/common';
import {
  GetBanner,
  type AddGalleryPictureRequest,
  type ChangeGalleryRequest,
  DomainError,
  type EventPage,
  type GalleryItem,
  invalidFields,
  LIMITS,
  type PictureBytes,
  type RemoveGalleryPictureRequest,
  AddGalleryPicture,
  ChangeGallery,
  RemoveGalleryPicture,
  GetGalleryPicture,
  type GetPictureRequest,
  HasGalleryPicture,
} from '@meetmark/contracts';
import { OutboxWriter, PictureStore, Handles, type Call, callerId } from '@meetmark/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import {
  fetchGallery,
  isInGallery,
  keepGallery,
  type StoredGalleryPicture,
} from '../events/content/event-content.repository.js';
import { auditEvent } from '../events/notices/event-notices.js';
import { requireManager } from '../events/core/event-managers.js';
import { lockEvent, presentTo } from '../events/core/events.repository.js';
import { PublicCache } from '../public-cache.js';

/** Images can be added even after the event ended or was cancelled. */
@Controller()
export class GalleryService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: OutboxWriter,
    private readonly pictures: PictureStore,
    private readonly publicCache: PublicCache,
  ) {}

  @Handles(GetBanner)
  getBanner({ hash }: GetPictureRequest): Promise<PictureBytes> {
    return this.pictures.get(hash);
  }

  /**
   * Adding the same image again only changes its alternative text.
   * @throws DomainError EVENT_NOT_FOUND, PICTURE_BROKEN, VALIDATION_FAILED, FORBIDDEN
   */
  @Handles(AddGalleryPicture)
  add({ eventId, picture, alt }: AddGalleryPictureRequest, call: Call): Promise<EventPage> {
    return this.change(call, eventId, async (manager, present) => {
      const hash = (await this.pictures.apply(manager, { action: 'store', picture }))!;
      if (present.some((item) => item.hash === hash))
        return present.map((item) => (item.hash === hash ? { ...item, alt } : item));
      if (present.length >= LIMITS.gallery)
        throw invalidFields(['picture', `cannot be added: a gallery has at most ${LIMITS.gallery} images`]);
      return [...present, { id: uuid(), hash, alt }];
    });
  }

  /**
   * Changes only the given images, so that concurrent edits don't overwrite each other.
   * @throws DomainError EVENT_NOT_FOUND, VALIDATION_FAILED, EDIT_CONFLICT, FORBIDDEN
   */
  @Handles(ChangeGallery)
  changeSome({ eventId, pictures }: ChangeGalleryRequest, call: Call): Promise<EventPage> {
    return this.change(call, eventId, async (manager, present) => {
      const named = pictures.map(({ id }, index) => {
        const item = present.find((other) => other.id === id.toLowerCase());
        if (item === undefined)
          throw invalidFields([`pictures[${index}].id`, 'is not an image of this event']);
        return item;
      });
      const isOthers = ({ alt, was }: GalleryItem, { alt: now }: StoredGalleryPicture) =>
        alt !== undefined && was !== undefined && now !== was && now !== alt;
      if (pictures.some((given, index) => isOthers(given, named[index]!)))
        throw new DomainError('EDIT_CONFLICT', {
          present: await presentTo(manager, callerId(call), eventId),
        });
      const inOrder = named
        .map((item, index) => ({ ...item, alt: pictures[index]!.alt ?? item.alt }))
        .values();
      return present.map((item) => (named.includes(item) ? inOrder.next().value! : item));
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND, FORBIDDEN */
  @Handles(RemoveGalleryPicture)
  async remove({ eventId, pictureId }: RemoveGalleryPictureRequest, call: Call): Promise<void> {
    await this.change(call, eventId, (_manager, present) =>
      present.filter(({ id }) => id !== pictureId.toLowerCase()),
    );
  }

  /** @throws DomainError PICTURE_NOT_FOUND */
  @Handles(GetGalleryPicture)
  async get({ hash }: GetPictureRequest): Promise<PictureBytes> {
    if (!(await isInGallery(this.dataSource.manager, hash))) throw new DomainError('PICTURE_NOT_FOUND');
    return this.pictures.get(hash);
  }

  @Handles(HasGalleryPicture)
  has({ hash }: GetPictureRequest): Promise<boolean> {
    return isInGallery(this.dataSource.manager, hash);
  }

  /** Locks the event's row, so that changes run one after another. Doesn't raise the event's version. */
  private change(
    call: Call,
    eventId: string,
    next: (
      manager: EntityManager,
      present: StoredGalleryPicture[],
    ) => StoredGalleryPicture[] | Promise<StoredGalleryPicture[]>,
  ): Promise<EventPage> {
    return this.publicCache.transaction(async (manager) => {
      await requireManager(manager, call, eventId);
      const event = await lockEvent(manager, eventId, 'for_no_key_update');
      const present = await fetchGallery(manager, event.id);
      const after = await next(manager, present);
      const asListed = (items: StoredGalleryPicture[]) => items.map(({ id, hash, alt }) => [id, hash, alt]);
      if (JSON.stringify(asListed(after)) !== JSON.stringify(asListed(present))) {
        await keepGallery(manager, event.id, after);
        await auditEvent(this.outbox, manager, 'event.updated', callerId(call), event, ['gallery']);
      }
      return presentTo(manager, callerId(call), event.id);
    });
  }
}

export const banners = {
  provide: PictureStore,
  inject: [DataSource],
  useFactory: (dataSource: DataSource) =>
    new PictureStore(dataSource, {
      schema: 'events',
      kind: 'banners',
      field: 'bannerImageUrl',
      rule: "must be a data URL, the event's present banner or null",
    }),
};
