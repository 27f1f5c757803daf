/** What stands around every mail, whatever it says. */
export interface MailFrame {
  communityName: string;
  supportEmail: string;
  /** Language of the document, BCP 47. */
  locale: string;
  settingsUrl: string;
  /** Null in mails about the account and in notices about a booking, which are always sent. */
  unsubscribeUrl: string | null;
}
