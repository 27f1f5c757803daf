import {
  EMAIL_REVERT_LIFETIME,
  EmailChangedMail,
  revertSeal,
  type Community,
  type PayloadOf,
} from '@meetmark/contracts';
import { openSealedText } from '@meetmark/platform/identity/sealed-text';
import { DataSource } from 'typeorm';
import { InjectCommunity } from '../mail/community.js';
import { Links } from '../mail/links.js';
import { Mailer } from '../mail/mailer.js';
import { Recipients } from '../mail/recipients.js';
import { emailChanged } from '../mail/templates/email-changed.js';
import { insist } from '../queues/insist.js';
import { WorkerConfig } from '../worker.config.js';
import { HandlesJob, type JobContext, type JobHandler, type MailOutcome } from './job-handler.js';

const HOUR = 3_600_000;

type Payload = PayloadOf<typeof EmailChangedMail>;

@HandlesJob(EmailChangedMail)
export class EmailChangedMailJob implements JobHandler<Payload> {
  constructor(
    private readonly recipients: Recipients,
    private readonly mailer: Mailer,
    private readonly dataSource: DataSource,
    private readonly links: Links,
    private readonly config: WorkerConfig,
    @InjectCommunity() private readonly community: Community,
  ) {}

  async handle({ userId, oldEmail, revertId }: Payload, { id }: JobContext): Promise<MailOutcome> {
    const recipient = await this.recipients.find(userId);
    if (recipient === null) return 'skipped';
    const content = emailChanged({
      communityName: this.community.name,
      firstName: recipient.firstName,
      supportEmail: this.community.supportEmail,
      revertUrl: revertId === undefined ? null : await this.wayBack(revertId),
      hours: EMAIL_REVERT_LIFETIME / HOUR,
    });
    // the old address was verified, whatever the new one is
    const outcome = await this.mailer.send({
      id,
      template: 'email-changed',
      recipient: { ...recipient, verified: true },
      address: oldEmail,
      content,
    });
    if (revertId !== undefined) await insist(() => this.forget(revertId));
    return outcome;
  }

  /** Null when it is over, or when this very mail was sent before. */
  private async wayBack(revertId: string): Promise<string | null> {
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
