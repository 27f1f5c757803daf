import {
  CODE,
  CodeMail,
  codeSeal,
  type Community,
  type PayloadOf,
  type SealedCode,
} from '@meetmark/contracts';
import { openSealedText } from '@meetmark/platform/identity/sealed-text';
import { DataSource } from 'typeorm';
import { InjectCommunity } from '../mail/community.js';
import { Links, type ConfirmPurpose } from '../mail/links.js';
import { Mailer } from '../mail/mailer.js';
import { Recipients } from '../mail/recipients.js';
import { codeMail } from '../mail/templates/code.js';
import { insist } from '../queues/insist.js';
import { WorkerConfig } from '../worker.config.js';
import { GivenUp, HandlesJob, type JobContext, type JobHandler, type MailOutcome } from './job-handler.js';

type Payload = PayloadOf<typeof CodeMail>;

const MINUTE = 60_000;

interface Flow {
  /** `keep`: a verification without which the account goes. */
  purpose: Parameters<typeof codeMail>[0]['purpose'];
  /** Null for an address that has no account: there is nothing to send. */
  userId: string | null;
  email: string;
  /** Null once the mail is out, or when a newer code has taken its place. */
  sealed: string | null;
  open: boolean;
}

@HandlesJob(CodeMail)
export class CodeMailJob implements JobHandler<Payload> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly recipients: Recipients,
    private readonly mailer: Mailer,
    private readonly links: Links,
    private readonly config: WorkerConfig,
    @InjectCommunity() private readonly community: Community,
  ) {}

  async handle({ flowId, removal = false }: Payload, { id }: JobContext): Promise<MailOutcome> {
    const flow = await this.find(flowId);
    const outcome =
      flow?.sealed && flow.userId && flow.open
        ? await this.send(id, flowId, removal ? { ...flow, purpose: 'keep' } : flow, flow.userId, flow.sealed)
        : 'skipped';
    await insist(() => this.forget(flowId));
    return outcome;
  }

  private async send(
    id: string,
    flowId: string,
    { purpose, email }: Flow,
    userId: string,
    sealed: string,
  ): Promise<MailOutcome> {
    const recipient = await this.recipients.find(userId);
    if (recipient === null) return 'skipped';
    const text = openSealedText(sealed, codeSeal(flowId), this.config.resetCodeSecrets);
    if (text === null)
      throw new GivenUp('the code was sealed with a secret that is not in RESET_CODE_SECRETS');
    const { code, link } = JSON.parse(text) as SealedCode;
    // Only who has shown that the address is theirs reads the name that was typed with it.
    const unnamed = !recipient.verified || recipient.email.toLowerCase() !== email;
    const content = codeMail({
      communityName: this.community.name,
      purpose,
      firstName: unnamed ? null : recipient.firstName,
      code,
      lifetime: CODE.lifetime / MINUTE,
      url: this.links.confirm(CONFIRMS[purpose], link),
    });
    return this.mailer.send({
      id,
      template: `code-${purpose}`,
      recipient,
      address: email,
      content,
      carriesCode: true,
      unnamed,
    });
  }

  private async find(id: string): Promise<Flow | undefined> {
    const [row] = await this.dataSource.query<Flow[]>(
      `SELECT purpose, user_id AS "userId", email, sealed, ended_at IS NULL AND link_expires_at > now() AS open
       FROM auth.code_flows WHERE id = $1`,
      [id],
    );
    return row;
  }

  private async forget(id: string): Promise<void> {
    await this.dataSource.query('UPDATE auth.code_flows SET sealed = NULL WHERE id = $1', [id]);
  }
}

const CONFIRMS: Record<Flow['purpose'], ConfirmPurpose> = {
  verify: 'verify',
  keep: 'verify',
  'sign-in': 'sign-in',
  reset: 'reset',
  'change-present': 'email',
  'change-new': 'email',
};
