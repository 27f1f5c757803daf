import type { EventPage } from './event-page.js';
import { EventIdRequest } from './events.js';
import { LIMITS } from '../limits.js';
import { messagesTo } from '../message.js';
import { GetPictureRequest, type PictureBytes, StoredPicture } from '../pictures.js';
import { About, IfGiven, IsFilled, IsId, ListOf, SingleLine, withIds, withObjects } from '../validation.js';

const events = messagesTo('events');

export class GalleryWords {
  @About('Alternative text for people who can’t see the image', 'Forty people listen to a talk')
  @SingleLine(LIMITS.alt)
  @IsFilled('alt is required')
  alt!: string;
}

export class GalleryItem {
  @About('ID of the image')
  @IsId()
  id!: string;

  @About('New alternative text. Default: unchanged', 'Forty people listen to a talk at noon')
  @IfGiven()
  @SingleLine(LIMITS.alt)
  @IsFilled('alt is required')
  alt?: string;

  @About(
    'The alternative text that you read. 409 `EDIT_CONFLICT` if it has changed. If left out, the last change wins',
  )
  @IfGiven()
  @SingleLine(LIMITS.alt)
  was?: string;
}

export class GalleryFields {
  @About(
    'Images to change, in their new order. They share the positions that they had; images that you leave out stay where they are',
  )
  @ListOf(GalleryItem, LIMITS.gallery, {
    holds: ({ id }, index, list) =>
      list.findIndex((other) => String(other.id).toLowerCase() === String(id).toLowerCase()) === index,
    otherwise: 'is a duplicate',
  })
  pictures!: GalleryItem[];
}

export class AddGalleryPictureRequest extends withObjects(withIds(GalleryWords, 'eventId'), {
  picture: StoredPicture,
}) {}

/** Adds an image to the gallery. If the gallery already contains the image, only changes the image's text. */
export const AddGalleryPicture = events.manager('gallery.add', AddGalleryPictureRequest)<EventPage>();

export class ChangeGalleryRequest extends withIds(GalleryFields, 'eventId') {}

/** @throws EDIT_CONFLICT */
export const ChangeGallery = events.manager('gallery.change', ChangeGalleryRequest)<EventPage>();

export class RemoveGalleryPictureRequest extends withIds(EventIdRequest, 'pictureId') {}

/** Idempotent. */
export const RemoveGalleryPicture = events.manager('gallery.remove', RemoveGalleryPictureRequest)<void>();

/** @throws PICTURE_NOT_FOUND if no gallery contains the image, even if it is still stored */
export const GetGalleryPicture = events.public('pictures.getOfGallery', GetPictureRequest)<PictureBytes>();

/** Checks access only. The gateway or browser already has the image. */
export const HasGalleryPicture = events.public('pictures.isInGallery', GetPictureRequest)<boolean>();
