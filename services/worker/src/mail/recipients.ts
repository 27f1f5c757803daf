import type { MailPreferences } from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

export interface Recipient extends MailPreferences {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  /** Somebody has shown that the address is theirs; until then only codes go there. */
  verified: boolean;
}

/** Whom we may write to: the view that the auth service publishes for this. */
@Injectable()
export class Recipients {
  constructor(private readonly dataSource: DataSource) {}

  /** Null when the account is gone. */
  async find(userId: string): Promise<Recipient | null> {
    const [row] = await this.dataSource.query<Recipient[]>(
      `SELECT id, email, first_name AS "firstName", last_name AS "lastName", event_updates AS "eventUpdates", reminders, verified
       FROM auth.mail_recipient WHERE id = $1`,
      [userId],
    );
    return row ?? null;
  }
}
