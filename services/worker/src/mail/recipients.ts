import type { MailPreferences, ProductLocale } from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

export interface Recipient extends MailPreferences {
  /** Empty for a recipient without an account. */
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  /** The member has proved to own the address; before, only codes go there. */
  verified: boolean;
  /** The language that they chose; null: the community's. */
  locale: ProductLocale | null;
  /** The registration of a guest without an account, whose messages a link stops. */
  registrationId?: string;
  /** The subscription of somebody without an account, whose lists a link stops. */
  subscriptionId?: string;
}

/**
 * Somebody without an account, whom an organiser or the door has added with this address. They have no preferences: they get
 * what concerns their own place, and of the lists no more than the messages of organisers, which a link stops. They are called
 * by no name: who typed one beside an address that is not proved could write anything to anybody.
 */
export const guestRecipient = (email: string): Recipient => ({
  ...{ id: '', email, firstName: '', lastName: '', verified: true, locale: null },
  ...{ eventUpdates: false, reminders: false, messages: false, announcements: false, digest: false },
});

/** Recipients of mails, from a view that the auth service publishes. */
@Injectable()
export class Recipients {
  constructor(private readonly dataSource: DataSource) {}

  /** Null when the account is gone. */
  async find(userId: string): Promise<Recipient | null> {
    const [row] = await this.dataSource.query<Recipient[]>(
      `SELECT id, email, first_name AS "firstName", last_name AS "lastName", event_updates AS "eventUpdates", reminders, messages, announcements, digest, verified,
         (SELECT locale FROM auth.member_locale WHERE member_locale.id = mail_recipient.id) AS locale
       FROM auth.mail_recipient WHERE id = $1`,
      [userId],
    );
    return row ?? null;
  }

  /** Somebody without an account who signed up with an address. Null when that is gone, or the account's now. */
  async findSubscription(subscriptionId: string): Promise<Recipient | null> {
    const [row] = await this.dataSource.query<
      Pick<Recipient, 'email' | 'locale' | 'announcements' | 'digest'>[]
    >('SELECT email, locale, announcements, digest FROM events.subscriptions WHERE id = $1', [
      subscriptionId,
    ]);
    return row === undefined ? null : { ...guestRecipient(row.email), ...row, subscriptionId };
  }
}
