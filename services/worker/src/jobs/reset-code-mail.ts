import {
  RESET_CODE,
  ResetCodeMail,
  resetCodeSeal,
  type Community,
  type PayloadOf,
} from '@meetmark/contracts';
import { openSealedText } from '@meetmark/platform/sealing/sealed-text';
import { DataSource } from 'typeorm';
import { InjectCommunity } from '../mail/community.js';
import { Links } from '../mail/links.js';
import { Mailer } from '../mail/mailer.js';
import { Recipients } from '../mail/recipients.js';
import { resetCode } from '../mail/templates/reset-code.js';
import { insist } from '../queues/insist.js';
import { WorkerConfig } from '../worker.config.js';
import { GivenUp, HandlesJob, type JobContext, type JobHandler, type MailOutcome } from './job-handler.js';

type Payload = PayloadOf<typeof ResetCodeMail>;

const MINUTE = 60_000;

interface ResetRow {
  /** Null for an address that has no account: there is nothing to send (D18). */
  userId: string | null;
  /** Null once the mail is out. */
  sealedCode: string | null;
  open: boolean;
}

@HandlesJob(ResetCodeMail)
export class ResetCodeMailJob implements JobHandler<Payload> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly recipients: Recipients,
    private readonly mailer: Mailer,
    private readonly links: Links,
    private readonly config: WorkerConfig,
    @InjectCommunity() private readonly community: Community,
  ) {}

  async handle({ resetTokenId }: Payload, { id }: JobContext): Promise<MailOutcome> {
    const row = await this.find(resetTokenId);
    const outcome =
      row?.sealedCode && row.userId && row.open
        ? await this.send(id, resetTokenId, row.userId, row.sealedCode)
        : 'skipped';
    await insist(() => this.forgetCode(resetTokenId));
    return outcome;
  }

  private async send(id: string, tokenId: string, userId: string, sealedCode: string): Promise<MailOutcome> {
    const recipient = await this.recipients.find(userId);
    if (recipient === null) return 'skipped';
    const code = openSealedText(sealedCode, resetCodeSeal(tokenId), this.config.resetCodeSecrets);
    if (code === null)
      throw new GivenUp('the code was sealed with a secret that is not in RESET_CODE_SECRETS');
    const content = resetCode({
      communityName: this.community.name,
      firstName: recipient.firstName,
      resetCode: code,
      lifetime: RESET_CODE.lifetime / MINUTE,
      resetUrl: this.links.resetPassword(),
    });
    return this.mailer.send({ id, template: 'reset-code', recipient, content });
  }

  private async find(id: string): Promise<ResetRow | undefined> {
    const [row] = await this.dataSource.query<ResetRow[]>(
      `SELECT user_id AS "userId", sealed_code AS "sealedCode", used_at IS NULL AND expires_at > now() AS open
       FROM auth.password_reset_tokens WHERE id = $1`,
      [id],
    );
    return row;
  }

  private async forgetCode(id: string): Promise<void> {
    await this.dataSource.query('UPDATE auth.password_reset_tokens SET sealed_code = NULL WHERE id = $1', [
      id,
    ]);
  }
}
