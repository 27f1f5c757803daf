import { Injectable } from '@nestjs/common';
import {
  type AddGalleryPictureRequest,
  type ChangeGalleryRequest,
  DomainError,
  type EventPage,
  type GalleryItem,
  invalidFields,
  LIMITS,
  type PictureBytes,
  type RemoveGalleryPictureRequest,
} from '@meetmark/contracts';
import { inTransaction, OutboxWriter, PictureStore } from '@meetmark/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import {
  galleryOf,
  isInGallery,
  keepGallery,
  type StoredGalleryPicture,
} from '../events/event-content.repository.js';
import { auditEvent } from '../events/event-notices.js';
import { type CallingManager, requireManager } from '../events/event-managers.js';
import { lockEvent, presentTo } from '../events/events.repository.js';
import { PublicCache } from '../public-cache.js';

/** Pictures of an event for afterwards: as its recap, also of one that is over or cancelled. */
@Injectable()
export class GalleryService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: OutboxWriter,
    private readonly pictures: PictureStore,
    private readonly publicCache: PublicCache,
  ) {}

  /** A repeated request adds nothing. @throws DomainError EVENT_NOT_FOUND, PICTURE_BROKEN, VALIDATION_FAILED, FORBIDDEN */
  add(caller: CallingManager, { eventId, picture, alt }: AddGalleryPictureRequest): Promise<EventPage> {
    return this.change(caller, eventId, async (manager, present) => {
      const hash = (await this.pictures.apply(manager, { action: 'store', picture }))!;
      if (present.some((item) => item.hash === hash))
        return present.map((item) => (item.hash === hash ? { ...item, alt } : item));
      if (present.length >= LIMITS.gallery)
        throw invalidFields(['picture', `is one too many: a gallery has at most ${LIMITS.gallery}`]);
      return [...present, { id: uuid(), hash, alt }];
    });
  }

  /** Of two people, each changes what they name. @throws DomainError EVENT_NOT_FOUND, VALIDATION_FAILED, EDIT_CONFLICT, FORBIDDEN */
  changeSome(caller: CallingManager, { eventId, pictures }: ChangeGalleryRequest): Promise<EventPage> {
    return this.change(caller, eventId, async (manager, present) => {
      const named = pictures.map(({ id }, index) => {
        const item = present.find((other) => other.id === id.toLowerCase());
        if (item === undefined) throw invalidFields([`pictures[${index}].id`, 'is no picture of this event']);
        return item;
      });
      const isOthers = ({ alt, was }: GalleryItem, { alt: now }: StoredGalleryPicture) =>
        alt !== undefined && was !== undefined && now !== was && now !== alt;
      if (pictures.some((given, index) => isOthers(given, named[index]!)))
        throw new DomainError('EDIT_CONFLICT', { present: await presentTo(manager, caller.sub, eventId) });
      const inOrder = named
        .map((item, index) => ({ ...item, alt: pictures[index]!.alt ?? item.alt }))
        .values();
      return present.map((item) => (named.includes(item) ? inOrder.next().value! : item));
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND, FORBIDDEN */
  async remove(caller: CallingManager, { eventId, pictureId }: RemoveGalleryPictureRequest): Promise<void> {
    await this.change(caller, eventId, (_manager, present) =>
      present.filter(({ id }) => id !== pictureId.toLowerCase()),
    );
  }

  /** @throws DomainError PICTURE_NOT_FOUND */
  async get(hash: string): Promise<PictureBytes> {
    if (!(await this.has(hash))) throw new DomainError('PICTURE_NOT_FOUND');
    return this.pictures.get(hash);
  }

  has(hash: string): Promise<boolean> {
    return isInGallery(this.dataSource.manager, hash);
  }

  /** The event's row is locked, so that two who add at once take turns. It is no change of what forms, mails or calendars show. */
  private change(
    caller: CallingManager,
    eventId: string,
    next: (
      manager: EntityManager,
      present: StoredGalleryPicture[],
    ) => StoredGalleryPicture[] | Promise<StoredGalleryPicture[]>,
  ): Promise<EventPage> {
    return this.publicCache.changing(() =>
      inTransaction(this.dataSource, async (manager) => {
        await requireManager(manager, caller, eventId);
        const event = await lockEvent(manager, eventId, 'for_no_key_update');
        const present = await galleryOf(manager, event.id);
        const after = await next(manager, present);
        const asListed = (items: StoredGalleryPicture[]) => items.map(({ id, hash, alt }) => [id, hash, alt]);
        if (JSON.stringify(asListed(after)) !== JSON.stringify(asListed(present))) {
          await keepGallery(manager, event.id, after);
          await auditEvent(this.outbox, manager, 'event.updated', caller.sub, event, ['gallery']);
        }
        return presentTo(manager, caller.sub, event.id);
      }),
    );
  }
}
