/** What stands around every mail, whatever it says. */
export interface MailFrame {
  communityName: string;
  supportEmail: string;
  /** Language of the document, BCP 47. */
  locale: string;
  settingsUrl: string;
  /** Null in mails about the account itself, which cannot be turned off. */
  unsubscribeUrl: string | null;
}
