import { Users1795219200000 } from './1795219200000-users.js';
import { PublishedViews1795219201000 } from './1795219201000-published-views.js';
import { ResetCodes1795219202000 } from './1795219202000-reset-codes.js';
import { Outbox1795219203000 } from './1795219203000-outbox.js';
import { LastAdministrator1795219204000 } from './1795219204000-last-administrator.js';
import { SkippedMails1795252070000 } from './1795252070000-skipped-mails.js';
import { SecondFactors1795320000000 } from './1795320000000-second-factors.js';
import { MailRecipients1795332600000 } from './1795332600000-mail-recipients.js';
import { Deletion1795333400000 } from './1795333400000-deletion.js';
import { SignUps1795334744000 } from './1795334744000-sign-ups.js';
import { ReadRights1795336420000 } from './1795336420000-read-rights.js';
import { VerifiedAddresses1795337000000 } from './1795337000000-verified-addresses.js';
import { ProfileVersions1795340000000 } from './1795340000000-profile-versions.js';
import { ForgottenPendingEmails1795341000000 } from './1795341000000-forgotten-pending-emails.js';
import { RecoveryCodeTimes1795345000000 } from './1795345000000-recovery-code-times.js';
import { RequiredRights1795357049000 } from './1795357049000-required-rights.js';
import { ShowMe1795365000000 } from './1795365000000-show-me.js';
import { Rsvp1795366000000 } from './1795366000000-rsvp.js';
import { Roles1795380000000 } from './1795380000000-roles.js';
import { Messages1795383000000 } from './1795383000000-messages.js';
import { Locales1795384000000 } from './1795384000000-locales.js';
import { Announcements1795390000000 } from './1795390000000-announcements.js';
import { Setup1795390500000 } from './1795390500000-setup.js';
import { MemberSearch1795391000000 } from './1795391000000-member-search.js';
import { RsvpAnswers1795396000000 } from './1795396000000-rsvp-answers.js';
import { ContactSearch1795398000000 } from './1795398000000-contact-search.js';
import { FlowLocales1795419000000 } from './1795419000000-flow-locales.js';
import { FeedLocales1795431000000 } from './1795431000000-feed-locales.js';
import { ProvedSecondFactors1795509335000 } from './1795509335000-proved-second-factors.js';
import { HeldPlaces1795511222000 } from './1795511222000-held-places.js';
import { CodeLanes1795511729000 } from './1795511729000-code-lanes.js';
import { KnownAddresses1795516227000 } from './1795516227000-known-addresses.js';

export const migrations = {
  schema: 'auth',
  role: 'meetmark_auth',
  migrations: [
    Users1795219200000,
    PublishedViews1795219201000,
    ResetCodes1795219202000,
    Outbox1795219203000,
    LastAdministrator1795219204000,
    SkippedMails1795252070000,
    SecondFactors1795320000000,
    MailRecipients1795332600000,
    Deletion1795333400000,
    SignUps1795334744000,
    ReadRights1795336420000,
    VerifiedAddresses1795337000000,
    ProfileVersions1795340000000,
    ForgottenPendingEmails1795341000000,
    RecoveryCodeTimes1795345000000,
    RequiredRights1795357049000,
    ShowMe1795365000000,
    Rsvp1795366000000,
    Roles1795380000000,
    Messages1795383000000,
    Locales1795384000000,
    Announcements1795390000000,
    Setup1795390500000,
    MemberSearch1795391000000,
    RsvpAnswers1795396000000,
    ContactSearch1795398000000,
    FlowLocales1795419000000,
    FeedLocales1795431000000,
    ProvedSecondFactors1795509335000,
    HeldPlaces1795511222000,
    CodeLanes1795511729000,
    KnownAddresses1795516227000,
  ],
  code: { folder: 'services/auth/src/database' },
};
