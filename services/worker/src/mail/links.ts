import { unsubscribePagePath, unsubscribePath } from '@meetmark/platform/identity/unsubscribe-link';

/** As the page reads it from the link. */
export type ConfirmPurpose = 'verify' | 'sign-in' | 'reset' | 'email';

/** The addresses that mails point to. All of them begin with PUBLIC_URL, never with a host that a request named. */
export class Links {
  private readonly base: URL;

  constructor(publicUrl: string) {
    this.base = new URL(publicUrl);
  }

  home = () => this.at('/');
  myEvents = () => this.at('/my-events');
  settings = () => this.at('/profile');
  /** Secrets stand behind the #: no server, log or Referer ever has them. */
  confirm = (purpose: ConfirmPurpose, secret: string) => this.at(`/confirm#${purpose}.${secret}`);
  revertEmail = (secret: string) => this.at(`/revert-email#${secret}`);
  forgotPassword = () => this.at('/forgot-password');
  event = (eventId: string) => this.at(`/events/${encodeURIComponent(eventId)}`);
  /** For people; for mail programs, `unsubscribeAtOnce`. */
  unsubscribe = (token: string) => this.at(unsubscribePagePath(token));
  unsubscribeAtOnce = (token: string) => this.at(unsubscribePath(token));

  private at = (path: string) => new URL(path, this.base).href;
}
