import type { AnnouncementState, EventContent, EventHtml } from './event-content.js';
import { EventIdRequest, type Event, type PastRegistration } from './events.js';
import { messagesTo } from '../message.js';
import type { PublicAttendee } from './registrations.js';

const events = messagesTo('events');

export interface GalleryPicture {
  id: string;
  url: string;
  alt: string;
}

export interface EventPage extends Event {
  /** Null until the Markdown is rendered. */
  html?: EventHtml | null;
  mayManage: boolean;
  announcement?: AnnouncementState;
  /** How the caller's last registration ended. Null while the caller is registered or on the waiting list. */
  pastRegistration: PastRegistration | null;
  /**
   * Attendees who agreed to be shown publicly. Present only in responses to GetEvent. Services of the
   * previous version omit this field.
   */
  publicAttendees?: PublicAttendee[];
  /** Absent in responses of the previous version. */
  gallery?: GalleryPicture[];
  content: EventContent;
}

export const GetEvent = events.public('events.get', EventIdRequest)<EventPage>();
