import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { EVENT_PAGE_DEFAULTS, type EventPage } from './event-content.js';
import { EventIdRequest } from './events.js';
import { LIMITS } from './limits.js';
import { defineMessage } from './message.js';
import { GetPictureRequest, type PictureBytes, StoredPicture } from './pictures.js';
import { About, IfGiven, IsFilled, IsId, ListOf, SingleLine } from './validation.js';

/** A picture of an event, for afterwards. */
export interface GalleryPicture {
  id: string;
  url: string;
  /** What it shows, in words. */
  alt: string;
}

export class GalleryWords {
  @About('What the picture shows, for people who cannot see it', 'Forty people listen to a talk')
  @SingleLine(LIMITS.alt)
  @IsFilled('alt is required')
  alt!: string;
}

/** A picture that is there. */
export class GalleryItem {
  @IsId()
  id!: string;

  @About('Its new words. Left out: they stay', 'Forty people listen to a talk at noon')
  @IfGiven()
  @SingleLine(LIMITS.alt)
  @IsFilled('alt is required')
  alt?: string;

  @About(
    'The words that the change began from: refused where others stand there. Left out: the last one wins',
  )
  @IfGiven()
  @SingleLine(LIMITS.alt)
  was?: string;
}

export class GalleryFields {
  @About(
    'In their new order, in the places that they have together; those that are not named stay as they are',
  )
  @ListOf(GalleryItem, LIMITS.gallery, {
    holds: ({ id }, index, list) =>
      list.findIndex((other) => String(other.id).toLowerCase() === String(id).toLowerCase()) === index,
    otherwise: 'is named twice',
  })
  pictures!: GalleryItem[];
}

export class AddGalleryPictureRequest extends EventIdRequest {
  @SingleLine(LIMITS.alt)
  @IsFilled('alt is required')
  alt!: string;

  @ValidateNested()
  @Type(() => StoredPicture)
  picture!: StoredPicture;
}

/** A picture that is there already gets these words. */
export const AddGalleryPicture = defineMessage({
  service: 'events',
  name: 'gallery.add',
  access: 'manager',
  defaults: EVENT_PAGE_DEFAULTS,
  request: AddGalleryPictureRequest,
})<EventPage>();

export class ChangeGalleryRequest extends GalleryFields {
  @IsId()
  eventId!: string;
}

/** EDIT_CONFLICT where somebody changed the words meanwhile. */
export const ChangeGallery = defineMessage({
  service: 'events',
  name: 'gallery.change',
  access: 'manager',
  defaults: EVENT_PAGE_DEFAULTS,
  request: ChangeGalleryRequest,
})<EventPage>();

export class RemoveGalleryPictureRequest extends EventIdRequest {
  @IsId()
  pictureId!: string;
}

/** Done as well where there is none. */
export const RemoveGalleryPicture = defineMessage({
  service: 'events',
  name: 'gallery.remove',
  access: 'manager',
  request: RemoveGalleryPictureRequest,
})<void>();

/** PICTURE_NOT_FOUND of one that no gallery has, also while its bytes are still stored. */
export const GetGalleryPicture = defineMessage({
  service: 'events',
  name: 'pictures.getOfGallery',
  access: 'public',
  reads: true,
  request: GetPictureRequest,
})<PictureBytes>();

/** Whether a gallery has it: asked instead of its bytes, which the gateway or the browser has. */
export const HasGalleryPicture = defineMessage({
  service: 'events',
  name: 'pictures.isInGallery',
  access: 'public',
  reads: true,
  request: GetPictureRequest,
})<boolean>();
