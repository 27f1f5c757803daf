import {
  CODE,
  CodeMail,
  codeSeal,
  type Community,
  type PayloadOf,
  type SealedCode,
} from '@meetmark/contracts';
import { type ProductLocale, tagFor } from '@meetmark/i18n/locales';
import { openSealedText } from '@meetmark/platform/identity/sealed-text';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { InjectCommunity } from '@meetmark/platform';
import { buttons, code, paragraph } from '@meetmark/platform/mail/blocks';
import { defineTemplate } from '@meetmark/platform/mail/content';
import { type ConfirmPurpose, Links } from '@meetmark/platform/mail/links';
import { Mailer } from '../mail/mailer.js';
import { guestRecipient, type Recipient, Recipients } from '../mail/recipients.js';
import { GivenUp, HandlesJob, type JobContext, type MailOutcome } from '../queue/job-handler.js';
import { WorkerConfig } from '../worker.config.js';
import { retry } from '../queue/retry.js';
import { mailWords } from '../mail/words.js';

type Payload = PayloadOf<typeof CodeMail>;

const MINUTE = 60_000;

interface Flow {
  purpose: Variables['purpose'];
  /** Null without an account. People without an account get only `rsvp` and `contact` emails. */
  userId: string | null;
  email: string;
  locale: ProductLocale | null;
  event: string | null;
  /** Null if the email was sent or a newer code has replaced this one. */
  sealed: string | null;
  open: boolean;
}

@Injectable()
export class CodeMailJob {
  constructor(
    private readonly dataSource: DataSource,
    private readonly recipients: Recipients,
    private readonly mailer: Mailer,
    private readonly links: Links,
    private readonly config: WorkerConfig,
    @InjectCommunity() private readonly community: Community,
  ) {}

  @HandlesJob(CodeMail)
  async handle({ flowId }: Payload, job: JobContext): Promise<MailOutcome> {
    const flow = await this.find(flowId);
    const outcome = flow?.sealed && flow.open ? await this.send(job, flowId, flow) : 'skipped';
    await retry(() => this.forget(flowId));
    return outcome;
  }

  private async send(job: JobContext, flowId: string, flow: Flow): Promise<MailOutcome> {
    const { email, event } = flow;
    const recipient = await this.findRecipient(flow);
    if (recipient === null) return 'skipped';
    const known = flow.purpose === 'rsvp' && flow.userId !== null;
    const purpose = known ? 'rsvp-known' : flow.purpose;
    const text = openSealedText(flow.sealed ?? '', codeSeal(flowId), this.config.resetCodeSecrets);
    if (text === null)
      throw new GivenUp(
        'No secret in RESET_CODE_SECRETS decrypts this code: auth and worker need the same secrets',
      );
    const { code, link } = JSON.parse(text) as SealedCode;
    // Anyone may have entered the name, so only the verified owner of the address sees it.
    const unnamed = !recipient.verified || recipient.email.toLowerCase() !== email;
    const content = codeMail({
      communityName: this.community.name,
      locale: tagFor(recipient.locale, this.community),
      purpose,
      event,
      firstName: unnamed ? null : recipient.firstName,
      code,
      lifetime: CODE.lifetime / MINUTE,
      url: purpose === 'contact' ? null : this.links.confirm(CONFIRMS[purpose], link),
    });
    return this.mailer.send({
      job,
      recipient,
      address: email,
      content: { ...content, template: `code-${purpose}` },
      carriesCode: true,
      unnamed,
    });
  }

  /** Returns null if the event was deleted, or if the code needs an account and there is none. */
  private async findRecipient({ purpose, userId, email, locale, event }: Flow): Promise<Recipient | null> {
    const ofAnybody = purpose === 'rsvp' || purpose === 'contact';
    if (ofAnybody && event === null) return null;
    if (userId !== null) return this.recipients.find(userId, { closed: true });
    return ofAnybody ? { ...guestRecipient(email), verified: false, locale } : null;
  }

  private async find(id: string): Promise<Flow | undefined> {
    const [row] = await this.dataSource.query<Flow[]>(
      `SELECT purpose, user_id AS "userId", email, locale, sealed, ended_at IS NULL AND link_expires_at > now() AS open,
         (SELECT title FROM events.events WHERE id = event_id) AS event
       FROM auth.code_flows WHERE id = $1`,
      [id],
    );
    return row;
  }

  private async forget(id: string): Promise<void> {
    await this.dataSource.query('UPDATE auth.code_flows SET sealed = NULL WHERE id = $1', [id]);
  }
}

const CONFIRMS = {
  verify: 'verify',
  'sign-in': 'sign-in',
  reset: 'reset',
  rsvp: 'rsvp',
  'rsvp-known': 'rsvp',
  'change-present': 'email',
  'change-new': 'email',
} as const satisfies Record<string, ConfirmPurpose>;

interface Variables {
  communityName: string;
  locale: string;
  /** `rsvp-known`: a registration with the email address of an existing account. */
  purpose: keyof typeof CONFIRMS | 'contact';
  event: string | null;
  firstName: string | null;
  code: string | null;
  lifetime: number;
  /**
   * Null for `contact`: a link may open in another browser, but only the first one has the message to the
   * host.
   */
  url: string | null;
}

// The subject doesn't contain the code, because locked phones show subjects.
export const codeMail = defineTemplate<Variables>('code', (mail) => {
  const { communityName: community, firstName, lifetime, url } = mail;
  const all = mailWords(mail.locale).code;
  const words = all[mail.purpose];
  const what = mail.code === null ? 'link' : 'code';
  const event = mail.event ?? '';
  const values = { community, what, event };
  const said = (text: string | ((given: typeof values) => string)) =>
    typeof text === 'string' ? text : text(values);
  const to = said(words.to);
  const more = words.more;
  const intro =
    mail.code === null
      ? [paragraph(all.press({ to }))]
      : [paragraph(all.yours({ to })), code(mail.code), paragraph(all.works({ lifetime }))];
  return {
    subject: said(words.subject),
    preview: mail.code === null ? all.openLink : all.goodFor({ lifetime }),
    title: said(words.title),
    firstName,
    blocks: [
      ...intro,
      ...(more === '' ? [] : [paragraph(more)]),
      ...('button' in words && url !== null ? [buttons({ label: words.button, url })] : []),
      paragraph(all.notAsked),
    ],
    reason: words.reason({ community }),
  };
});
