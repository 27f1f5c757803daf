import type { MailPreferences } from '@meetmark/contracts';
import type { ProductLocale } from '@meetmark/i18n/locales';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

export interface Recipient extends MailPreferences {
  /** Empty for recipients without an account. */
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  /** Recipients with an unverified email address get only codes. */
  verified: boolean;
  locale: ProductLocale | null;
  registrationId?: string;
  subscriptionId?: string;
}

/** Omits the name, because anyone could have entered it. */
export const guestRecipient = (email: string): Recipient => ({
  ...{ id: '', email, firstName: '', lastName: '', verified: true, locale: null },
  ...{ eventUpdates: false, reminders: false, messages: false, announcements: false, digest: false },
});

@Injectable()
export class Recipients {
  constructor(private readonly dataSource: DataSource) {}

  /** @param closed whether to find a closed account as well, which gets only codes and its last email */
  async find(userId: string, { closed = false } = {}): Promise<Recipient | null> {
    const [row] = await this.dataSource.query<Recipient[]>(
      `SELECT id, email, first_name AS "firstName", last_name AS "lastName", event_updates AS "eventUpdates", reminders, messages, announcements, digest, verified,
         (SELECT locale FROM auth.member_locale WHERE member_locale.id = mail_recipient.id) AS locale
       FROM auth.mail_recipient WHERE id = $1 AND (closed_at IS NULL OR $2)`,
      [userId, closed],
    );
    return row ?? null;
  }

  /** Null if the subscription was deleted or moved to an account. */
  async findSubscription(subscriptionId: string): Promise<Recipient | null> {
    const [row] = await this.dataSource.query<
      Pick<Recipient, 'email' | 'locale' | 'announcements' | 'digest'>[]
    >('SELECT email, locale, announcements, digest FROM events.subscriptions WHERE id = $1', [
      subscriptionId,
    ]);
    return row === undefined ? null : { ...guestRecipient(row.email), ...row, subscriptionId };
  }
}
