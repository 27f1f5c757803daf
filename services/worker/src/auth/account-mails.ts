import {
  AddressTakenMail,
  type Community,
  formatMoment,
  PasswordChangedMail,
  type PayloadOf,
  SecondFactorMail,
  TestMail,
  WelcomeMail,
} from '@meetmark/contracts';
import { InjectCommunity } from '@meetmark/platform';
import { Injectable } from '@nestjs/common';
import { buttons, facts, paragraph } from '@meetmark/platform/mail/blocks';
import { defineTemplate, type MailContent } from '@meetmark/platform/mail/content';
import { Links } from '@meetmark/platform/mail/links';
import { Mailer, type OutgoingMail } from '../mail/mailer.js';
import { Recipients } from '../mail/recipients.js';
import { HandlesJob, type JobContext, type JobHandler, type MailOutcome } from '../queue/job-handler.js';

/** What every template about an account may say. */
export interface AccountVariables {
  communityName: string;
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
        supportEmail: this.community.supportEmail,
        firstName: recipient.firstName,
        homeUrl: this.links.home(),
        forgotPasswordUrl: this.links.forgotPassword(),
      }),
    });
  }

  moment = (at: Date | string) => formatMoment(new Date(at), this.community);
}

const alwaysSent = (communityName: string) =>
  `Mails about the safety of your account at ${communityName} are always sent.`;

const notYou = ({ supportEmail, forgotPasswordUrl }: AccountVariables) => [
  paragraph(`Was this not you? Choose a new password now and write to ${supportEmail}.`),
  buttons({ label: 'Choose a new password', url: forgotPasswordUrl }),
];

@HandlesJob(WelcomeMail)
export class WelcomeMailJob implements JobHandler<PayloadOf<typeof WelcomeMail>> {
  constructor(private readonly mails: AccountMails) {}

  handle({ userId, passwordEnded = false }: PayloadOf<typeof WelcomeMail>, job: JobContext) {
    return this.mails.send(job, userId, (mail) => welcome({ ...mail, passwordEnded }));
  }
}

/** `passwordEnded`: the address was confirmed in a browser that was not signed in to the account. */
export const welcome = defineTemplate<AccountVariables & { passwordEnded: boolean }>('welcome', (mail) => ({
  subject: `Welcome to ${mail.communityName}`,
  preview: 'Your account is ready. See what is coming up.',
  title: `Welcome to ${mail.communityName}`,
  firstName: mail.firstName,
  blocks: [
    paragraph('Your account is ready, and every event is one click away.'),
    buttons({ label: 'Browse events', url: mail.homeUrl }),
    ...(mail.passwordEnded
      ? [
          paragraph(
            'Your address was confirmed in a browser that was not signed in. The password that was set before, the sign-ins and the private calendar address made with it have ended, because anybody could have set it. You can choose a password:',
          ),
          buttons({ label: 'Choose a password', url: mail.forgotPasswordUrl }),
        ]
      : []),
    paragraph('A picture and a line about yourself on your profile help others to recognise you there.'),
  ],
  reason: `You get this mail because an account was made with this address at ${mail.communityName}.`,
}));

@HandlesJob(AddressTakenMail)
export class AddressTakenMailJob implements JobHandler<PayloadOf<typeof AddressTakenMail>> {
  constructor(private readonly mails: AccountMails) {}

  handle({ userId }: PayloadOf<typeof AddressTakenMail>, job: JobContext) {
    return this.mails.send(job, userId, addressTaken);
  }
}

/** To the owner of an address that was entered for another account. It does not say by whom: it may be the owner. */
export const addressTaken = defineTemplate<AccountVariables>('address-taken', (mail) => ({
  subject: `You have an account at ${mail.communityName}`,
  preview: 'Somebody entered your address for another account.',
  title: 'You have an account already',
  firstName: mail.firstName,
  blocks: [
    paragraph(
      `Somebody entered this address for another account at ${mail.communityName}. It belongs to your account already, so nothing has changed.`,
    ),
    paragraph(
      'Was it you? Then sign in with this address. If you have forgotten the password, choose a new one:',
    ),
    buttons({ label: 'Choose a new password', url: mail.forgotPasswordUrl }),
    paragraph('Was it not you? Then you need not do anything.'),
  ],
  reason: `You get this mail because you have an account at ${mail.communityName}.`,
}));

type PasswordChange = PayloadOf<typeof PasswordChangedMail>;

@HandlesJob(PasswordChangedMail)
export class PasswordChangedMailJob implements JobHandler<PasswordChange> {
  constructor(private readonly mails: AccountMails) {}

  handle({ userId, at, why }: PasswordChange, job: JobContext) {
    const change = { why: why ?? 'chosen', when: this.mails.moment(at) } as const;
    return this.mails.send(job, userId, (mail) => passwordChanged({ ...mail, ...change }));
  }
}

const ENDED = {
  chosen: 'The password of your account was changed, and your other devices were signed out.',
  'email-reverted':
    'Your account has its earlier email address again. Its password and the second factors added since it changed have ended, and every device was signed out.',
  'email-verified':
    'The address of your account was confirmed in a browser that was not signed in to it. Its password has ended, and every other device was signed out.',
} as const;

export const passwordChanged = defineTemplate<AccountVariables & { when: string; why: keyof typeof ENDED }>(
  'password-changed',
  (mail) => ({
    subject: `Your ${mail.communityName} password was changed`,
    preview: 'If this was not you, act now.',
    title: 'Your password was changed',
    firstName: mail.firstName,
    blocks: [
      paragraph(ENDED[mail.why]),
      paragraph(
        'Your private calendar address has ended with it. One press in your profile makes a new one.',
      ),
      facts(['When', mail.when]),
      ...notYou(mail),
    ],
    reason: alwaysSent(mail.communityName),
  }),
);

type FactorChange = PayloadOf<typeof SecondFactorMail>;

@HandlesJob(SecondFactorMail)
export class SecondFactorMailJob implements JobHandler<FactorChange> {
  constructor(private readonly mails: AccountMails) {}

  handle({ userId, change, factor, at }: FactorChange, job: JobContext) {
    const when = this.mails.moment(at);
    return this.mails.send(job, userId, (mail) => secondFactor({ ...mail, change, factor, when }));
  }
}

interface FactorWords {
  subject: (community: string) => string;
  title: string;
  sentence: string;
}

const FACTORS: Record<FactorChange['change'], FactorWords> = {
  added: {
    subject: (community) => `A second factor was added to your ${community} account`,
    title: 'A second factor was added',
    sentence: 'From now on signing in to your account takes a second step.',
  },
  removed: {
    subject: (community) => `A second factor was removed from your ${community} account`,
    title: 'A second factor was removed',
    sentence: 'It can no longer be used to sign in to your account.',
  },
  'all-removed': {
    subject: (community) => `The second factors of your ${community} account were removed`,
    title: 'Your second factors were removed',
    sentence:
      'An administrator removed them, and all your devices were signed out. Signing in takes your password alone until you add a new one.',
  },
  'recovery-code-used': {
    subject: (community) => `A recovery code of your ${community} account was used`,
    title: 'A recovery code was used',
    sentence: 'Somebody signed in to your account with one of your recovery codes. It cannot be used again.',
  },
};

/** `factor`: as its owner named it. */
export const secondFactor = defineTemplate<
  AccountVariables & Pick<FactorChange, 'change' | 'factor'> & { when: string }
>('second-factor', (mail) => ({
  subject: FACTORS[mail.change].subject(mail.communityName),
  preview: 'If this was not you, act now.',
  title: FACTORS[mail.change].title,
  firstName: mail.firstName,
  blocks: [
    paragraph(FACTORS[mail.change].sentence),
    facts(['Factor', mail.factor], ['When', mail.when]),
    ...notYou(mail),
  ],
  reason: alwaysSent(mail.communityName),
}));

@HandlesJob(TestMail)
export class TestMailJob implements JobHandler<PayloadOf<typeof TestMail>> {
  constructor(private readonly mails: AccountMails) {}

  handle({ userId }: PayloadOf<typeof TestMail>, job: JobContext) {
    const when = this.mails.moment(job.createdAt);
    return this.mails.send(job, userId, (mail) => testMail({ ...mail, when }));
  }
}

export const testMail = defineTemplate<AccountVariables & { when: string }>('test', (mail) => ({
  subject: `Test mail from ${mail.communityName}`,
  preview: 'Mail is set up.',
  title: 'Mail is set up',
  firstName: mail.firstName,
  blocks: [
    paragraph('This mail went the whole way: outbox, queue, worker and mail server.'),
    facts(['Asked for', mail.when]),
  ],
  reason: `You get this mail because you asked for it on the System page of ${mail.communityName}.`,
}));
