import { type Community, type MailList, tagFor } from '@meetmark/contracts';
import { signUnsubscribe, type UnsubscribeTarget } from '@meetmark/platform/identity/unsubscribe-link';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { CalendarEntry } from './calendar-entry.js';
import { GivenUp, type MailOutcome } from '../queue/job-handler.js';
import { mails } from '../queue/metrics.js';
import { WorkerConfig } from '../worker.config.js';
import { CommunityFollower, InjectCommunity } from '@meetmark/platform';
import { emptyMail, type MailContent, renderHtml, renderText } from '@meetmark/platform/mail/content';
import { Links } from '@meetmark/platform/mail/links';
import { plain } from '@meetmark/platform/mail/plain';
import type { Recipient } from './recipients.js';
import { Sender } from './sender.js';
import { MAIL_TRANSPORT, type MailTransport } from './transport.js';

/** Travels in the mail: readers fetch no picture from the network unless asked to, and its address would hold what it shows. */
export interface MailPicture {
  /** Content-ID, to which the mail's `cid:` address leads. */
  cid: string;
  /** PNG. */
  content: Buffer;
}

export interface OutgoingMail {
  /** The outbox row's id. Copies of a mail share the Message-ID made from it, so that mail programs recognise them. */
  id: string;
  recipient: Recipient;
  /** Another address than the recipient's own. */
  address?: string;
  content: MailContent;
  /** The list that the member can turn off; mails about the account and notices about a booking have none. */
  list?: MailList;
  calendar?: CalendarEntry;
  /** Shown within the mail. */
  picture?: MailPicture;
  /** A code proves who owns the address: the only mail that goes to an unverified one. */
  carriesCode?: true;
  /** Who gets the answers; the community unless given. */
  replyTo?: { name: string; address: string };
  /** A person wrote it, so it is answered as any mail is, by those who are away too. */
  byPerson?: true;
  /** Without the name of the account's owner beside the address. */
  unnamed?: boolean;
}

/**
 * Hands mails to the mail server at least once: when a worker dies between the server's acceptance and the mark in the outbox, another
 * sends a copy with the same Message-ID.
 */
@Injectable()
export class Mailer implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly config: WorkerConfig,
    private readonly links: Links,
    private readonly sender: Sender,
    private readonly follower: CommunityFollower,
    @InjectCommunity() private readonly community: Community,
    @Inject(MAIL_TRANSPORT) private readonly transport: MailTransport,
  ) {}

  onModuleInit(): Promise<void> {
    return this.follower.addTrial(emptyMail);
  }

  /**
   * Resolves when the server has accepted the mail, or at once when the member has turned it off or the address is not verified.
   * @throws GivenUp when the server refuses this mail for good, any other error when a retry may succeed
   */
  async send(mail: OutgoingMail): Promise<MailOutcome> {
    const { recipient, list, carriesCode } = mail;
    const { template } = mail.content;
    if (!recipient.verified && !carriesCode) {
      mails.inc({ template, outcome: 'unverified' });
      return 'skipped';
    }
    if (list !== undefined && !recipient[list]) {
      mails.inc({ template, outcome: 'unwanted' });
      return 'skipped';
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
    id,
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
      // objects, not strings: a string is parsed, and a typed name could become a second address
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

/** Whose list the link of a mail stops. */
function stopTarget(
  { id: userId, registrationId, subscriptionId }: Recipient,
  list: MailList,
): UnsubscribeTarget {
  if (registrationId !== undefined) return { registrationId };
  return subscriptionId === undefined ? { userId, list } : { subscriptionId, list };
}

/** RFC 8058: the mail program's own 'unsubscribe' button. */
const unsubscribeHeaders = (url: string | null): Record<string, string> =>
  url === null
    ? {}
    : { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };

const PERMANENT = 500;

interface SmtpError extends Error {
  code?: string;
  /** What the server answered. */
  command?: string;
  responseCode?: number;
}

/**
 * Whether the server refused this mail or its recipient for good. A refused login (EAUTH) or sender is also a 5xx but says nothing about
 * the mail: an administrator corrects it, and the mail goes out then.
 */
export function isRefusal(error: unknown): error is SmtpError {
  const { code = '', command, responseCode = 0 } = error as SmtpError;
  return ['EENVELOPE', 'EMESSAGE'].includes(code) && command !== 'MAIL FROM' && responseCode >= PERMANENT;
}
