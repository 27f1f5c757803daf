import { columnsOf, eventFields, type EventFieldName } from '@meetmark/contracts/event-fields';
import {
  MessageMail,
  NamedInEventMail,
  PromotedMail,
  RecordAudit,
  RollUpActivity,
  SendAnnouncement,
} from '@meetmark/contracts/jobs';
import { DEADLINES, ROLL_UP_AFTER } from '@meetmark/contracts/limits';
import { Events1795219200000 } from './1795219200000-events.js';
import { Registrations1795219201000 } from './1795219201000-registrations.js';
import { Outbox1795219202000 } from './1795219202000-outbox.js';
import { Calendars1795219203000 } from './1795219203000-calendars.js';
import { EventFormat1795248054000 } from './1795248054000-event-format.js';
import { SkippedMails1795252070000 } from './1795252070000-skipped-mails.js';
import { EntryRevisions1795332300000 } from './1795332300000-entry-revisions.js';
import { MailRecipients1795332600000 } from './1795332600000-mail-recipients.js';
import { Deletion1795333401000 } from './1795333401000-deletion.js';
import { UnverifiedMembers1795337001000 } from './1795337001000-unverified-members.js';
import { EventVersions1795340000000 } from './1795340000000-event-versions.js';
import { EventLife1795357000000 } from './1795357000000-event-life.js';
import { ShowMe1795365000000 } from './1795365000000-show-me.js';
import { EventContent1795370000000 } from './1795370000000-event-content.js';
import { Roles1795380000000 } from './1795380000000-roles.js';
import { Guests1795381000000 } from './1795381000000-guests.js';
import { Door1795382000000 } from './1795382000000-door.js';
import { Messages1795383000000 } from './1795383000000-messages.js';
import { LateChecks1795385000000 } from './1795385000000-late-checks.js';
import { Topics1795390000000 } from './1795390000000-topics.js';
import { Announcements1795391000000 } from './1795391000000-announcements.js';
import { Subscriptions1795392000000 } from './1795392000000-subscriptions.js';
import { Questions1795396000000 } from './1795396000000-questions.js';
import { GuestSearch1795398000000 } from './1795398000000-guest-search.js';
import { SubscriptionLocales1795430000000 } from './1795430000000-subscription-locales.js';
import { DoorAnswers1795509217000 } from './1795509217000-door-answers.js';
import { PlaceEndings1795509249000 } from './1795509249000-place-endings.js';
import { UnprovedPlaces1795510627000 } from './1795510627000-unproved-places.js';
import { DoorCorrections1795510646000 } from './1795510646000-door-corrections.js';
import { MailRecipientsWithoutAccount1795513072000 } from './1795513072000-mail-recipients-without-account.js';
import { NamedGuestsSearch1795514328000 } from './1795514328000-named-guests-search.js';
import { RenderedTexts1795514978000 } from './1795514978000-rendered-texts.js';
import { GuestSearchAtOnce1795523572000 } from './1795523572000-guest-search-at-once.js';
import { ForgottenRefusals1795525062000 } from './1795525062000-forgotten-refusals.js';
import { OneMoreHour1795525473000 } from './1795525473000-one-more-hour.js';
import { RunningEvents1795537775000 } from './1795537775000-running-events.js';
import { Accessibility1795717083000 } from './1795717083000-accessibility.js';

const columns = (names: EventFieldName[], row = '') =>
  names.flatMap((name) => columnsOf(name).map((column) => row + column)).join(', ');
/** SQL with the name of each field that differs. */
const changed = (names: EventFieldName[]) =>
  names
    .filter((name) => columnsOf(name).length > 0)
    .map(
      (name) =>
        `CASE WHEN ROW (${columns([name], 'OLD.')}) IS DISTINCT FROM ROW (${columns([name], 'NEW.')}) THEN '${name}' END`,
    )
    .join(',\n    ');
const LISTED = eventFields(({ on }) => on === 'lists');
const CONTENT = eventFields(({ on }) => on === 'page');

export const migrations = {
  schema: 'events',
  role: 'meetmark_events',
  migrations: [
    Events1795219200000,
    Registrations1795219201000,
    Outbox1795219202000,
    Calendars1795219203000,
    EventFormat1795248054000,
    SkippedMails1795252070000,
    EntryRevisions1795332300000,
    MailRecipients1795332600000,
    Deletion1795333401000,
    UnverifiedMembers1795337001000,
    EventVersions1795340000000,
    EventLife1795357000000,
    ShowMe1795365000000,
    EventContent1795370000000,
    Roles1795380000000,
    Guests1795381000000,
    Door1795382000000,
    Messages1795383000000,
    LateChecks1795385000000,
    Topics1795390000000,
    Announcements1795391000000,
    Subscriptions1795392000000,
    Questions1795396000000,
    GuestSearch1795398000000,
    SubscriptionLocales1795430000000,
    DoorAnswers1795509217000,
    PlaceEndings1795509249000,
    UnprovedPlaces1795510627000,
    DoorCorrections1795510646000,
    MailRecipientsWithoutAccount1795513072000,
    NamedGuestsSearch1795514328000,
    RenderedTexts1795514978000,
    GuestSearchAtOnce1795523572000,
    ForgottenRefusals1795525062000,
    OneMoreHour1795525473000,
    RunningEvents1795537775000,
    Accessibility1795717083000,
  ],
  code: {
    folder: 'services/events/src/database',
    values: {
      eventColumns: columns(LISTED),
      oldEvent: columns(LISTED, 'OLD.'),
      newEvent: columns(LISTED, 'NEW.'),
      changedOfEvent: changed(LISTED),
      changedOfContent: changed(CONTENT),
      // the jobs that functions write, and one whose end they note
      PromotedMail: PromotedMail.name,
      NamedInEventMail: NamedInEventMail.name,
      SendAnnouncement: SendAnnouncement.name,
      RecordAudit: RecordAudit.name,
      RollUpActivity: RollUpActivity.name,
      MessageMail: MessageMail.name,
      rollUpAfter: `${ROLL_UP_AFTER} s`,
      longestStatement: `${Math.ceil(DEADLINES.statement / 1000)} s`,
    },
  },
};
