import {
  CODE,
  CodeMail,
  codeSeal,
  type Community,
  type PayloadOf,
  type ProductLocale,
  type SealedCode,
  tagFor,
} from '@meetmark/contracts';
import { openSealedText } from '@meetmark/platform/identity/sealed-text';
import { DataSource } from 'typeorm';
import { InjectCommunity } from '@meetmark/platform';
import { buttons, code, paragraph } from '@meetmark/platform/mail/blocks';
import { defineTemplate } from '@meetmark/platform/mail/content';
import { type ConfirmPurpose, Links } from '@meetmark/platform/mail/links';
import { Mailer } from '../mail/mailer.js';
import { guestRecipient, type Recipient, Recipients } from '../mail/recipients.js';
import {
  GivenUp,
  HandlesJob,
  type JobContext,
  type JobHandler,
  type MailOutcome,
} from '../queue/job-handler.js';
import { WorkerConfig } from '../worker.config.js';
import { retry } from '../queue/retry.js';
import { mailWords } from '../mail/words.js';

type Payload = PayloadOf<typeof CodeMail>;

const MINUTE = 60_000;

interface Flow {
  purpose: Variables['purpose'];
  /** Null for an address without an account, which gets no mail unless somebody registers with it or writes to a host. */
  userId: string | null;
  email: string;
  /** The language of the pages in the browser that asked. */
  locale: ProductLocale | null;
  /** The title of the event that is registered for, or to whose host is written; null as well once that is gone. */
  event: string | null;
  /** When the account's place there is lost unless the address is verified. */
  lapsesAt: Date | null;
  /** Null once the mail is sent, or when a newer code has replaced it. */
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
    const outcome = flow?.sealed && flow.open ? await this.send(id, flowId, flow, removal) : 'skipped';
    await retry(() => this.forget(flowId));
    return outcome;
  }

  private async send(id: string, flowId: string, flow: Flow, removal: boolean): Promise<MailOutcome> {
    const { email, event } = flow;
    const recipient = await this.recipientOf(flow);
    if (recipient === null) return 'skipped';
    const known = flow.purpose === 'rsvp' && flow.userId !== null;
    const holds = flow.purpose === 'verify' && flow.lapsesAt !== null;
    const purpose = removal ? 'keep' : holds ? 'place' : known ? 'rsvp-known' : flow.purpose;
    const text = openSealedText(flow.sealed ?? '', codeSeal(flowId), this.config.resetCodeSecrets);
    if (text === null)
      throw new GivenUp('the code was sealed with a secret that is not in RESET_CODE_SECRETS');
    const { code, link } = JSON.parse(text) as SealedCode;
    // Only the proved owner of the address reads the name that was typed with it.
    const unnamed = !recipient.verified || recipient.email.toLowerCase() !== email;
    const locale = tagFor(recipient.locale, this.community);
    const content = codeMail({
      communityName: this.community.name,
      locale,
      purpose,
      event,
      firstName: unnamed ? null : recipient.firstName,
      code,
      lifetime: CODE.lifetime / MINUTE,
      until: flow.lapsesAt && momentOf(flow.lapsesAt, locale, this.community.timeZone),
      url: purpose === 'contact' ? null : this.links.confirm(CONFIRMS[purpose], link),
    });
    return this.mailer.send({
      id,
      recipient,
      address: email,
      content: { ...content, template: `code-${purpose}` },
      carriesCode: true,
      unnamed,
    });
  }

  private async recipientOf({ purpose, userId, email, locale, event }: Flow): Promise<Recipient | null> {
    const ofAnybody = purpose === 'rsvp' || purpose === 'contact';
    if (ofAnybody && event === null) return null;
    if (userId !== null) return this.recipients.find(userId);
    return ofAnybody ? { ...guestRecipient(email), verified: false, locale } : null;
  }

  private async find(id: string): Promise<Flow | undefined> {
    const [row] = await this.dataSource.query<Flow[]>(
      `SELECT purpose, user_id AS "userId", email, locale, sealed, ended_at IS NULL AND link_expires_at > now() AS open,
         (SELECT title FROM events.events WHERE id = event_id) AS event,
         (SELECT lapses_at FROM events.event_registrations AS place
          WHERE place.event_id = flow.event_id AND place.user_id = flow.user_id AND unproved) AS "lapsesAt"
       FROM auth.code_flows AS flow WHERE id = $1`,
      [id],
    );
    return row;
  }

  private async forget(id: string): Promise<void> {
    await this.dataSource.query('UPDATE auth.code_flows SET sealed = NULL WHERE id = $1', [id]);
  }
}

/** The page of the mailed link. */
const CONFIRMS: Record<Exclude<Variables['purpose'], 'contact'>, ConfirmPurpose> = {
  verify: 'verify',
  keep: 'verify',
  place: 'verify',
  'sign-in': 'sign-in',
  reset: 'reset',
  rsvp: 'rsvp',
  'rsvp-known': 'rsvp',
  'change-present': 'email',
  'change-new': 'email',
};

interface Variables {
  communityName: string;
  /** The reader's language. */
  locale: string;
  /** `keep`: a verification without which the account is removed; `place`: one without which a place is lost; `rsvp-known`: an rsvp with the address of an account. */
  purpose:
    | 'verify'
    | 'keep'
    | 'place'
    | 'rsvp'
    | 'rsvp-known'
    | 'contact'
    | 'sign-in'
    | 'reset'
    | 'change-present'
    | 'change-new';
  /** The title of the event that the code registers for, or to whose host it sends a message. */
  event: string | null;
  /** Null for an unverified address: a stranger must not read what another person typed as a name. */
  firstName: string | null;
  /** The six digits; null in a mail that carries the link alone. */
  code: string | null;
  /** Minutes from the request until the code expires. */
  lifetime: number;
  /** With `place`: when it is lost. */
  until: string | null;
  /** Leads to a page; only its button has an effect. Null with `contact`: what was written stands in the browser that asked. */
  url: string | null;
}

// The subject does not carry the code: locked telephones show subjects.
export const codeMail = defineTemplate<Variables>('code', (mail) => {
  const { communityName: community, firstName, lifetime, url } = mail;
  const all = mailWords(mail.locale).code;
  const words = all[mail.purpose];
  const what = mail.code === null ? 'link' : 'code';
  const event = mail.event ?? '';
  // each purpose names of these what it needs
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
      ...(mail.until ? [paragraph(all.keptUntil({ until: mail.until }))] : []),
      ...(more === '' ? [] : [paragraph(more)]),
      ...('button' in words && url !== null ? [buttons({ label: words.button, url })] : []),
      paragraph(all.notAsked),
    ],
    reason: words.reason({ community }),
  };
});

const momentOf = (at: Date, locale: string, timeZone: string) =>
  new Intl.DateTimeFormat(locale, {
    ...{ timeZone, weekday: 'long', day: 'numeric', month: 'long' },
    ...{ hour: 'numeric', minute: '2-digit', timeZoneName: 'short' },
  }).format(at);
