import {
  ACCOUNT_CLOSED_FOR,
  AccountClosedMail,
  AddressTakenMail,
  type Community,
  formatMoment,
  PasswordChangedMail,
  type PayloadOf,
  SecondFactorMail,
  TestMail,
  WelcomeMail,
} from '@meetmark/contracts';
import { tagFor } from '@meetmark/i18n/locales';
import { InjectCommunity } from '@meetmark/platform';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { buttons, facts, paragraph } from '@meetmark/platform/mail/blocks';
import { defineTemplate, type MailContent } from '@meetmark/platform/mail/content';
import { Links } from '@meetmark/platform/mail/links';
import { Mailer, type OutgoingMail } from '../mail/mailer.js';
import { Recipients } from '../mail/recipients.js';
import { HandlesJob, type JobContext, type MailOutcome } from '../queue/job-handler.js';
import { mailWords } from '../mail/words.js';

export interface AccountVariables {
  communityName: string;
  locale: string;
  supportEmail: string;
  firstName: string;
  homeUrl: string;
  forgotPasswordUrl: string;
}

@Injectable()
export class AccountMails {
  constructor(
    private readonly dataSource: DataSource,
    private readonly recipients: Recipients,
    private readonly mailer: Mailer,
    private readonly links: Links,
    @InjectCommunity() private readonly community: Community,
  ) {}

  async send(
    job: JobContext,
    userId: string,
    content: (variables: AccountVariables) => MailContent,
    changes: Partial<Pick<OutgoingMail, 'address'>> & { verified?: true; closed?: true } = {},
  ): Promise<MailOutcome> {
    const recipient = await this.recipients.find(userId, changes);
    if (recipient === null) return 'skipped';
    const { verified = recipient.verified, address } = changes;
    return this.mailer.send({
      job,
      recipient: { ...recipient, verified },
      address,
      content: content({
        communityName: this.community.name,
        locale: tagFor(recipient.locale, this.community),
        supportEmail: this.community.supportEmail,
        firstName: recipient.firstName,
        homeUrl: this.links.home(),
        forgotPasswordUrl: this.links.forgotPassword(),
      }),
    });
  }

  private moment(at: Date | string, locale: string): string {
    return formatMoment(new Date(at), { timeZone: this.community.timeZone, locale });
  }

  @HandlesJob(WelcomeMail)
  welcome({ userId, passwordEnded = false }: PayloadOf<typeof WelcomeMail>, job: JobContext) {
    return this.send(job, userId, (mail) => welcome({ ...mail, passwordEnded }));
  }

  /** Sends nothing if the member has restored the account. */
  @HandlesJob(AccountClosedMail)
  async accountClosed(
    { userId }: PayloadOf<typeof AccountClosedMail>,
    job: JobContext,
  ): Promise<MailOutcome> {
    const [closed] = await this.dataSource.query<{ at: Date }[]>(
      'SELECT closed_at AS at FROM auth.mail_recipient WHERE id = $1 AND closed_at IS NOT NULL',
      [userId],
    );
    if (closed === undefined) return 'skipped';
    const deletedAt = new Date(closed.at.getTime() + ACCOUNT_CLOSED_FOR);
    return this.send(
      job,
      userId,
      (mail) => accountClosed({ ...mail, when: this.moment(deletedAt, mail.locale) }),
      { closed: true },
    );
  }

  /** Sends nothing if a newer request has replaced this one. */
  @HandlesJob(AddressTakenMail)
  async addressTaken(
    { userId, flowId }: PayloadOf<typeof AddressTakenMail>,
    job: JobContext,
  ): Promise<MailOutcome> {
    const due = await this.dataSource.query<unknown[]>(
      'SELECT FROM auth.code_flows WHERE id = $1 AND mail_at IS NOT NULL AND ended_at IS NULL',
      [flowId],
    );
    return due.length === 0 ? 'skipped' : this.send(job, userId, addressTaken);
  }

  @HandlesJob(PasswordChangedMail)
  passwordChanged({ userId, at, why }: PasswordChange, job: JobContext) {
    return this.send(job, userId, (mail) =>
      passwordChanged({ ...mail, why: why ?? 'chosen', when: this.moment(at, mail.locale) }),
    );
  }

  @HandlesJob(SecondFactorMail)
  secondFactor({ userId, change, factor, at }: FactorChange, job: JobContext) {
    return this.send(job, userId, (mail) =>
      secondFactor({ ...mail, change, factor, when: this.moment(at, mail.locale) }),
    );
  }

  @HandlesJob(TestMail)
  test({ userId }: PayloadOf<typeof TestMail>, job: JobContext) {
    return this.send(job, userId, (mail) =>
      testMail({ ...mail, when: this.moment(job.createdAt, mail.locale) }),
    );
  }
}

export const notYou = ({ supportEmail, forgotPasswordUrl, locale }: AccountVariables) => {
  const words = mailWords(locale).account;
  return [
    paragraph(words.notYou({ supportEmail })),
    buttons({ label: words.newPassword, url: forgotPasswordUrl }),
  ];
};

/** `passwordEnded`: the password was removed, because a signed-out browser confirmed the email address. */
export const welcome = defineTemplate<AccountVariables & { passwordEnded: boolean }>('welcome', (mail) => {
  const { account, welcome: words } = mailWords(mail.locale);
  const community = mail.communityName;
  return {
    subject: words.title({ community }),
    preview: words.preview,
    title: words.title({ community }),
    firstName: mail.firstName,
    blocks: [
      paragraph(words.ready),
      buttons({ label: account.browse, url: mail.homeUrl }),
      ...(mail.passwordEnded
        ? [
            paragraph(words.passwordEnded),
            buttons({ label: words.choosePassword, url: mail.forgotPasswordUrl }),
          ]
        : []),
      paragraph(words.profile),
    ],
    reason: words.reason({ community }),
  };
});

export const accountClosed = defineTemplate<AccountVariables & { when: string }>('account-closed', (mail) => {
  const { account, accountClosed: words } = mailWords(mail.locale);
  const community = mail.communityName;
  return {
    subject: words.subject({ community }),
    preview: words.preview,
    title: words.title,
    firstName: mail.firstName,
    blocks: [
      paragraph(words.what),
      facts([words.deletion, mail.when]),
      paragraph(words.restore),
      buttons({ label: words.button, url: mail.homeUrl }),
      paragraph(account.notYou({ supportEmail: mail.supportEmail })),
    ],
    reason: account.alwaysSent({ community }),
  };
});

/** Doesn't blame a stranger for entering the email address, because its owner may have done so. */
export const addressTaken = defineTemplate<AccountVariables>('address-taken', (mail) => {
  const { account, addressTaken: words } = mailWords(mail.locale);
  const community = mail.communityName;
  return {
    subject: words.subject({ community }),
    preview: words.preview,
    title: words.title,
    firstName: mail.firstName,
    blocks: [
      paragraph(words.what({ community })),
      paragraph(words.you),
      buttons({ label: account.newPassword, url: mail.forgotPasswordUrl }),
      paragraph(words.notYou),
    ],
    reason: words.reason({ community }),
  };
});

type PasswordChange = PayloadOf<typeof PasswordChangedMail>;

export const passwordChanged = defineTemplate<
  AccountVariables & { when: string; why: NonNullable<PasswordChange['why']> | 'chosen' }
>('password-changed', (mail) => {
  const { account, passwordChanged: words } = mailWords(mail.locale);
  const community = mail.communityName;
  return {
    subject: words.subject({ community }),
    preview: account.actNow,
    title: words.title,
    firstName: mail.firstName,
    blocks: [
      paragraph(words.ended[mail.why]),
      paragraph(words.calendar),
      facts([account.when, mail.when]),
      ...notYou(mail),
    ],
    reason: account.alwaysSent({ community }),
  };
});

type FactorChange = PayloadOf<typeof SecondFactorMail>;

export const secondFactor = defineTemplate<
  AccountVariables & Pick<FactorChange, 'change' | 'factor'> & { when: string }
>('second-factor', (mail) => {
  const { account, secondFactor: all } = mailWords(mail.locale);
  const words = all[mail.change];
  const community = mail.communityName;
  return {
    subject: words.subject({ community }),
    preview: account.actNow,
    title: words.title,
    firstName: mail.firstName,
    blocks: [
      paragraph(words.sentence),
      facts([all.factor, mail.factor], [account.when, mail.when]),
      ...notYou(mail),
    ],
    reason: account.alwaysSent({ community }),
  };
});

export const testMail = defineTemplate<AccountVariables & { when: string }>('test', (mail) => {
  const words = mailWords(mail.locale).test;
  const community = mail.communityName;
  return {
    subject: words.subject({ community }),
    preview: words.preview,
    title: words.title,
    firstName: mail.firstName,
    blocks: [paragraph(words.what), facts([words.askedFor, mail.when])],
    reason: words.reason({ community }),
  };
});
