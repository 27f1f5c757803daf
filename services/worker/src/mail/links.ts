import { unsubscribePagePath, unsubscribePath } from '@meetmark/platform/links/unsubscribe-link';

/** The addresses that mails point to. All of them begin with PUBLIC_URL, never with a host that a request named. */
export class Links {
  private readonly base: URL;

  constructor(publicUrl: string) {
    this.base = new URL(publicUrl);
  }

  home = () => this.at('/');
  myEvents = () => this.at('/my-events');
  settings = () => this.at('/profile');
  forgotPassword = () => this.at('/forgot-password');
  resetPassword = () => this.at('/reset-password');
  event = (eventId: string) => this.at(`/events/${encodeURIComponent(eventId)}`);
  /** For people; for mail programs, `unsubscribeAtOnce`. */
  unsubscribe = (token: string) => this.at(unsubscribePagePath(token));
  unsubscribeAtOnce = (token: string) => this.at(unsubscribePath(token));

  private at = (path: string) => new URL(path, this.base).href;
}
