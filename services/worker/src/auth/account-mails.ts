import {
  AddressTakenMail,
  type Community,
  formatMoment,
  PasswordChangedMail,
  type PayloadOf,
  SecondFactorMail,
  TestMail,
  WelcomeMail,
  tagFor,
} from '@meetmark/contracts';
import { InjectCommunity } from '@meetmark/platform';
import { Injectable } from '@nestjs/common';
import { buttons, facts, paragraph } from '@meetmark/platform/mail/blocks';
import { defineTemplate, type MailContent } from '@meetmark/platform/mail/content';
import { Links } from '@meetmark/platform/mail/links';
import { Mailer, type OutgoingMail } from '../mail/mailer.js';
import { Recipients } from '../mail/recipients.js';
import { HandlesJob, type JobContext, type JobHandler, type MailOutcome } from '../queue/job-handler.js';
import { mailWords } from '../mail/words.js';

/** What every template about an account may say. */
export interface AccountVariables {
  communityName: string;
  /** The reader's language. */
  locale: string;
  supportEmail: string;
  firstName: string;
  homeUrl: string;
  forgotPasswordUrl: string;
}

/** What mails about an account share. They belong to no list: they are always sent. */
@Injectable()
export class AccountMails {
  constructor(
    private readonly recipients: Recipients,
    private readonly mailer: Mailer,
    private readonly links: Links,
    @InjectCommunity() private readonly community: Community,
  ) {}

  /** To an account that is gone, nothing. */
  async send(
    { id }: JobContext,
    userId: string,
    content: (variables: AccountVariables) => MailContent,
    changes: Partial<Pick<OutgoingMail, 'address'>> & { verified?: true } = {},
  ): Promise<MailOutcome> {
    const recipient = await this.recipients.find(userId);
    if (recipient === null) return 'skipped';
    const { verified = recipient.verified, address } = changes;
    return this.mailer.send({
      id,
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

  moment = (at: Date | string, locale: string) =>
    formatMoment(new Date(at), { timeZone: this.community.timeZone, locale });
}

const notYou = ({ supportEmail, forgotPasswordUrl, locale }: AccountVariables) => {
  const words = mailWords(locale).account;
  return [
    paragraph(words.notYou({ supportEmail })),
    buttons({ label: words.newPassword, url: forgotPasswordUrl }),
  ];
};

@HandlesJob(WelcomeMail)
export class WelcomeMailJob implements JobHandler<PayloadOf<typeof WelcomeMail>> {
  constructor(private readonly mails: AccountMails) {}

  handle({ userId, passwordEnded = false }: PayloadOf<typeof WelcomeMail>, job: JobContext) {
    return this.mails.send(job, userId, (mail) => welcome({ ...mail, passwordEnded }));
  }
}

/** `passwordEnded`: the address was confirmed in a browser that was not signed in to the account. */
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

@HandlesJob(AddressTakenMail)
export class AddressTakenMailJob implements JobHandler<PayloadOf<typeof AddressTakenMail>> {
  constructor(private readonly mails: AccountMails) {}

  handle({ userId }: PayloadOf<typeof AddressTakenMail>, job: JobContext) {
    return this.mails.send(job, userId, addressTaken);
  }
}

/** To the owner of an address that was entered for another account. It does not say by whom: it may be the owner. */
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

@HandlesJob(PasswordChangedMail)
export class PasswordChangedMailJob implements JobHandler<PasswordChange> {
  constructor(private readonly mails: AccountMails) {}

  handle({ userId, at, why }: PasswordChange, job: JobContext) {
    return this.mails.send(job, userId, (mail) =>
      passwordChanged({ ...mail, why: why ?? 'chosen', when: this.mails.moment(at, mail.locale) }),
    );
  }
}

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

@HandlesJob(SecondFactorMail)
export class SecondFactorMailJob implements JobHandler<FactorChange> {
  constructor(private readonly mails: AccountMails) {}

  handle({ userId, change, factor, at }: FactorChange, job: JobContext) {
    return this.mails.send(job, userId, (mail) =>
      secondFactor({ ...mail, change, factor, when: this.mails.moment(at, mail.locale) }),
    );
  }
}

/** `factor`: as its owner named it. */
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

@HandlesJob(TestMail)
export class TestMailJob implements JobHandler<PayloadOf<typeof TestMail>> {
  constructor(private readonly mails: AccountMails) {}

  handle({ userId }: PayloadOf<typeof TestMail>, job: JobContext) {
    return this.mails.send(job, userId, (mail) =>
      testMail({ ...mail, when: this.mails.moment(job.createdAt, mail.locale) }),
    );
  }
}

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
