import type { LegalPage } from '@meetmark/contracts/community';
import type { ProductLocale } from '@meetmark/contracts/locales';
import { eventPath } from '@meetmark/contracts/event-path';
import { unsubscribePagePath, unsubscribePath } from '../identity/unsubscribe-link.js';

/** As the page reads it from the link. */
export type ConfirmPurpose = 'verify' | 'sign-in' | 'reset' | 'email' | 'rsvp';

type Subject = Parameters<typeof eventPath>[0];

/** The links of mails. All begin with PUBLIC_URL, never with a host from a request. */
export class Links {
  private readonly base: URL;

  constructor(publicUrl: string) {
    this.base = new URL(publicUrl);
  }

  home = () => this.at('/');
  myEvents = () => this.at('/my-events');
  settings = () => this.at('/profile');
  /** In the language of the mail, where its reader chose one. */
  legal = (page: LegalPage, locale: ProductLocale | null) =>
    this.at(`/${page}${locale === null ? '' : `?locale=${locale}`}`);
  /** Secrets follow the #, so that no server, log or Referer receives them. */
  confirm = (purpose: ConfirmPurpose, secret: string) => this.at(`/confirm#${purpose}.${secret}`);
  revertEmail = (secret: string) => this.at(`/revert-email#${secret}`);
  /** With the language of the mail for the page, where its reader chose one. */
  confirmSubscription = (token: string, locale: ProductLocale | null) =>
    this.at(`/subscribe/confirm${locale === null ? '' : `?locale=${locale}`}#${token}`);
  forgotPassword = () => this.at('/forgot-password');
  event = (event: Subject) => this.at(eventPath(event));
  /** For those who manage the event, also while it is a draft. */
  workspace = (eventId: string) => this.at(`/admin/events/${encodeURIComponent(eventId)}`);
  /** JPEG, 504 × 504: the event's picture, or what stands for it. An earlier version leads to the present one. */
  squareCover = (eventId: string, version: number) =>
    this.at(`/media/share/${eventId}-${version}.jpg?shape=square`);
  /** The absolute form of a picture's address, which may be a path of this site. */
  picture = (url: string) => this.at(url);
  /** The event's page, at its ways into a calendar. */
  addToCalendar = (event: Subject) => `${this.event(event)}#add-to-calendar`;
  /** The event's page, where a guest proves their address and takes the place over. */
  takeOver = (event: Subject) => `${this.event(event)}#take-over`;
  /** The event's page, which says that the place is kept. */
  keepPlace = (event: Subject) => `${this.event(event)}#keep-place`;
  /** What the QR of a guest says: a secret at an address without a page, so that a camera that scans it shows nothing about the guest. */
  guestCode = (code: string) => this.at(`/c/${code}`);
  /** A page with one button. */
  giveUp = (eventId: string) => this.at(`/events/${encodeURIComponent(eventId)}/give-up`);
  /** For people; for mail programs, `unsubscribeAtOnce`. */
  unsubscribe = (token: string, locale: ProductLocale | null) =>
    this.at(`${unsubscribePagePath(token)}${locale === null ? '' : `&locale=${locale}`}`);
  /** A browser that opens it is sent to the page, in the language of the mail. */
  unsubscribeAtOnce = (token: string, locale: ProductLocale | null) =>
    this.at(`${unsubscribePath(token)}${locale === null ? '' : `?locale=${locale}`}`);

  private at = (path: string) => new URL(path, this.base).href;
}
