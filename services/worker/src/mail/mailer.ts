import { DEMO_MEMBER_DOMAIN, type Community, type MailList } from '@meetmark/contracts';
import { tagFor } from '@meetmark/i18n/locales';
import { signUnsubscribe, type UnsubscribeTarget } from '@meetmark/platform/identity/unsubscribe-link';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { CalendarEntry } from './calendar-entry.js';
import { GivenUp, type JobContext, type MailOutcome } from '../queue/job-handler.js';
import { mails } from '../queue/metrics.js';
import { WorkerConfig } from '../worker.config.js';
import { CommunityFollower, InjectCommunity } from '@meetmark/platform';
import { emptyMail, type MailContent, renderHtml, renderText } from '@meetmark/platform/mail/content';
import { Links } from '@meetmark/platform/mail/links';
import { plain } from '@meetmark/platform/mail/plain';
import { MailBounds, type MailSubject } from './mail-bounds.js';
import type { Recipient } from './recipients.js';
import { Sender } from './sender.js';
import { MAIL_TRANSPORT, type MailTransport } from './transport.js';

/**
 * Image attached to the email, because mail programs block remote images. Others could also open an image at
 * a URL.
 */
export interface MailPicture {
  cid: string;
  content: Buffer;
}

export interface OutgoingMail {
  /** The Message-ID contains the job's id, so that mail programs detect duplicates after retries. */
  job: JobContext;
  recipient: Recipient;
  about?: MailSubject;
  address?: string;
  content: MailContent;
  /** Undefined for emails that recipients can't turn off. */
  list?: MailList;
  calendar?: CalendarEntry;
  picture?: MailPicture;
  /** Allows sending to an unverified email address, because the code verifies it. */
  carriesCode?: true;
  replyTo?: { name: string; address: string };
  /** A person wrote the email, so automatic replies are welcome. */
  byPerson?: true;
  unnamed?: boolean;
}

/** Sends at least once: if a worker dies before it records an email, another sends a duplicate. */
@Injectable()
export class Mailer implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly config: WorkerConfig,
    private readonly links: Links,
    private readonly sender: Sender,
    private readonly bounds: MailBounds,
    private readonly follower: CommunityFollower,
    @InjectCommunity() private readonly community: Community,
    @Inject(MAIL_TRANSPORT) private readonly transport: MailTransport,
  ) {}

  onModuleInit(): Promise<void> {
    return this.follower.addTrial(emptyMail);
  }

  /**
   * Resolves when the server has accepted the email. If a limit is reached, skips the email or returns the
   * time of the next attempt.
   * @throws GivenUp if the mail server refuses the email permanently; other errors can be retried
   */
  async send(mail: OutgoingMail): Promise<MailOutcome> {
    const { job, recipient, list, carriesCode, about } = mail;
    const { template } = mail.content;
    if (!recipient.verified && !carriesCode) {
      mails.inc({ template, outcome: 'unverified' });
      return 'skipped';
    }
    if (list !== undefined && !recipient[list]) {
      mails.inc({ template, outcome: 'unwanted' });
      return 'skipped';
    }
    if ((mail.address ?? recipient.email).toLowerCase().endsWith(`@${DEMO_MEMBER_DOMAIN}`)) {
      mails.inc({ template, outcome: 'demo' });
      return 'skipped';
    }
    const later = await this.bounds.take(job, recipient, about);
    if (later !== null) {
      mails.inc({ template, outcome: later === 'skipped' ? 'bounded' : 'deferred' });
      return later;
    }
    try {
      await this.transport.sendMail(this.message(mail));
      mails.inc({ template, outcome: 'sent' });
      return 'sent';
    } catch (error) {
      const refused = isRefusal(error);
      mails.inc({ template, outcome: refused ? 'refused' : 'failed' });
      throw refused ? new GivenUp(error.message, { cause: error }) : error;
    }
  }

  onApplicationShutdown(): void {
    this.transport.close();
  }

  private message({
    job: { id },
    recipient,
    address = recipient.email,
    content,
    list,
    calendar,
    picture,
    replyTo,
    byPerson,
    unnamed = false,
  }: OutgoingMail) {
    const { name: communityName, supportEmail, brandPalettes, font, logoUrl, legalPages } = this.community;
    const locale = tagFor(recipient.locale, this.community);
    const from = { name: this.sender.name, address: this.sender.address };
    const target = list && stopTarget(recipient, list);
    const token = target ? signUnsubscribe(target, this.config.linkSecrets) : null;
    const unsubscribeUrl = token && this.links.unsubscribe(token, recipient.locale);
    const frame = {
      ...{ communityName, supportEmail, locale, brandPalettes, font, unsubscribeUrl },
      logoUrl: logoUrl && this.links.picture(logoUrl),
      homeUrl: this.links.home(),
      legalUrls: Object.fromEntries(
        legalPages.map((page) => [page, this.links.legal(page, recipient.locale)]),
      ),
      settingsUrl: recipient.id === '' ? null : this.links.settings(),
    };
    return {
      messageId: `<${id}@${this.sender.domain}>`,
      // Addresses are objects: nodemailer would parse strings, and a name could become a second address.
      from,
      to: { name: unnamed ? '' : plain(`${recipient.firstName} ${recipient.lastName}`.trim()), address },
      replyTo: replyTo ?? { name: plain(communityName), address: supportEmail },
      envelope: { from: from.address, to: [address] },
      subject: content.subject,
      text: renderText(content, frame),
      html: renderHtml(content, frame),
      headers: {
        ...(!byPerson && { 'Auto-Submitted': 'auto-generated' }),
        ...unsubscribeHeaders(token && this.links.unsubscribeAtOnce(token, recipient.locale)),
      },
      ...(calendar && { icalEvent: { ...calendar, filename: 'event.ics' } }),
      ...(picture && {
        attachments: [
          {
            ...picture,
            filename: 'code.png',
            contentType: 'image/png',
            contentDisposition: 'inline' as const,
          },
        ],
      }),
    };
  }
}

function stopTarget(
  { id: userId, registrationId, subscriptionId }: Recipient,
  list: MailList,
): UnsubscribeTarget {
  if (registrationId !== undefined) return { registrationId };
  return subscriptionId === undefined ? { userId, list } : { subscriptionId, list };
}

const unsubscribeHeaders = (url: string | null): Record<string, string> =>
  url === null
    ? {}
    : { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };

const PERMANENT = 500;

interface SmtpError extends Error {
  code?: string;
  command?: string;
  responseCode?: number;
}

/** A refused login (EAUTH) or sender is retried, because an operator can correct it. */
export function isRefusal(error: unknown): error is SmtpError {
  const { code = '', command, responseCode = 0 } = error as SmtpError;
  return ['EENVELOPE', 'EMESSAGE'].includes(code) && command !== 'MAIL FROM' && responseCode >= PERMANENT;
}
