import type { LegalPage } from '@meetmark/contracts/community';
import type { ProductLocale } from '@meetmark/i18n/locales';
import { eventPath } from '@meetmark/contracts/events/event-path';
import { unsubscribePagePath, unsubscribePath } from '../identity/unsubscribe-link.js';

/** Purposes that the confirmation page knows. */
export type ConfirmPurpose = 'verify' | 'sign-in' | 'reset' | 'email' | 'rsvp';

type Subject = Parameters<typeof eventPath>[0];

/** Creates links that start with PUBLIC_URL and never with the host of a request. */
export class Links {
  private readonly base: URL;

  constructor(publicUrl: string) {
    this.base = new URL(publicUrl);
  }

  home = () => this.at('/');
  myEvents = () => this.at('/my-events');
  settings = () => this.at('/profile/notifications');
  ownRoles = () => this.at('/profile/privacy');
  ownData = () => this.at('/profile/privacy#download-data');
  legal = (page: LegalPage, locale: ProductLocale | null) =>
    this.at(`/${page}${locale === null ? '' : `?locale=${locale}`}`);
  /** The secret follows the #, so that servers, logs and referrers don't see it. */
  confirm = (purpose: ConfirmPurpose, secret: string) => this.at(`/confirm#${purpose}.${secret}`);
  revertEmail = (secret: string) => this.at(`/revert-email#${secret}`);
  confirmSubscription = (token: string, locale: ProductLocale | null) =>
    this.at(`/subscribe/confirm${locale === null ? '' : `?locale=${locale}`}#${token}`);
  forgotPassword = () => this.at('/forgot-password');
  event = (event: Subject) => this.at(eventPath(event));
  workspace = (eventId: string) => this.at(`/admin/events/${encodeURIComponent(eventId)}`);
  /** JPEG of 504 × 504 pixels. URLs with an older version redirect to the current one. */
  squareCover = (eventId: string, version: number) =>
    this.at(`/media/share/${eventId}-${version}.jpg?shape=square`);
  picture = (url: string) => this.at(url);
  addToCalendar = (event: Subject) => `${this.event(event)}#add-to-calendar`;
  /** Links to the dialog where guests verify their email address and take over the registration. */
  takeOver = (event: Subject) => `${this.event(event)}#take-over`;
  keepPlace = (event: Subject) => `${this.event(event)}#keep-place`;
  /**
   * URL in a guest's QR code. The code is encrypted, so that other people learn nothing about the guest from
   * it.
   */
  guestCode = (code: string) => this.at(`/c/${code}`);
  giveUp = (eventId: string) => this.at(`/events/${encodeURIComponent(eventId)}/give-up`);
  unsubscribe = (token: string, locale: ProductLocale | null) =>
    this.at(`${unsubscribePagePath(token)}${locale === null ? '' : `&locale=${locale}`}`);
  /** One-click URL for mail programs. It redirects browsers to the unsubscribe page. */
  unsubscribeAtOnce = (token: string, locale: ProductLocale | null) =>
    this.at(`${unsubscribePath(token)}${locale === null ? '' : `?locale=${locale}`}`);

  private at = (path: string) => new URL(path, this.base).href;
}
