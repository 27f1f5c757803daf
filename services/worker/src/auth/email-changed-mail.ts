import { EMAIL_REVERT_LIFETIME, EmailChangedMail, type PayloadOf, revertSeal } from '@meetmark/contracts';
import { openSealedText } from '@meetmark/platform/identity/sealed-text';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { buttons, paragraph } from '@meetmark/platform/mail/blocks';
import { defineTemplate } from '@meetmark/platform/mail/content';
import { Links } from '@meetmark/platform/mail/links';
import { HandlesJob, type JobContext, type MailOutcome } from '../queue/job-handler.js';
import { WorkerConfig } from '../worker.config.js';
import { retry } from '../queue/retry.js';
import { AccountMails, type AccountVariables } from './account-mails.js';
import { mailWords } from '../mail/words.js';

const HOUR = 3_600_000;

type Payload = PayloadOf<typeof EmailChangedMail>;

@Injectable()
export class EmailChangedMailJob {
  constructor(
    private readonly mails: AccountMails,
    private readonly dataSource: DataSource,
    private readonly links: Links,
    private readonly config: WorkerConfig,
  ) {}

  @HandlesJob(EmailChangedMail)
  async handle({ userId, oldEmail, revertId }: Payload, job: JobContext): Promise<MailOutcome> {
    const revertUrl = revertId === undefined ? null : await this.revertUrl(revertId);
    const hours = EMAIL_REVERT_LIFETIME / HOUR;
    const content = (mail: AccountVariables) => emailChanged({ ...mail, revertUrl, hours });
    // The previous email address was verified, even if the new one isn't.
    const outcome = await this.mails.send(job, userId, content, { address: oldEmail, verified: true });
    if (revertId !== undefined) await retry(() => this.forget(revertId));
    return outcome;
  }

  private async revertUrl(revertId: string): Promise<string | null> {
    const [row] = await this.dataSource.query<{ sealed: string | null }[]>(
      'SELECT sealed FROM auth.email_reverts WHERE id = $1 AND ended_at IS NULL AND expires_at > now()',
      [revertId],
    );
    const secret =
      row?.sealed && openSealedText(row.sealed, revertSeal(revertId), this.config.resetCodeSecrets);
    return secret ? this.links.revertEmail(secret) : null;
  }

  private async forget(revertId: string): Promise<void> {
    await this.dataSource.query('UPDATE auth.email_reverts SET sealed = NULL WHERE id = $1', [revertId]);
  }
}

interface Change {
  /** Null if an administrator changed the email address, or if the link has expired. */
  revertUrl: string | null;
  hours: number;
}

/** Doesn't show the new email address, because the reader of the previous one may not own it. */
export const emailChanged = defineTemplate<AccountVariables & Change>('email-changed', (mail) => {
  const words = mailWords(mail.locale).emailChanged;
  const { communityName: community, supportEmail, hours } = mail;
  return {
    subject: words.subject({ community }),
    preview: words.preview,
    title: words.title,
    firstName: mail.firstName,
    blocks: [
      paragraph(words.what({ community })),
      ...(mail.revertUrl === null
        ? [paragraph(words.writeAtOnce({ supportEmail }))]
        : [
            paragraph(words.takeBack({ hours })),
            buttons({ label: words.button, url: mail.revertUrl }),
            paragraph(words.elseWrite({ supportEmail })),
          ]),
    ],
    reason: words.reason({ community }),
  };
});
