import { columnsOf, eventFields, type EventFieldName } from '@meetmark/contracts/event-fields';
import {
  MessageMail,
  NamedInEventMail,
  PromotedMail,
  RecordAudit,
  RollUpActivity,
  SendAnnouncement,
} from '@meetmark/contracts/jobs';
import { DEADLINES, HOST_MESSAGES, ROLL_UP_AFTER } from '@meetmark/contracts/limits';
import { RESERVED_SLUGS } from '@meetmark/contracts/validation';
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
import { DeferrableCreators1795745000000 } from './1795745000000-deferrable-creators.js';
import { AnyLanguage1795748522000 } from './1795748522000-any-language.js';
import { ShortAddresses1795759500000 } from './1795759500000-short-addresses.js';
import { HostMessages1795772280002 } from './1795772280002-host-messages.js';
import { TimeZones1795799410000 } from './1795799410000-time-zones.js';
import { Covers1795799551000 } from './1795799551000-covers.js';
import { PublicAttendees1795801844000 } from './1795801844000-public-attendees.js';
import { Galleries1795821000000 } from './1795821000000-galleries.js';

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
    DeferrableCreators1795745000000,
    AnyLanguage1795748522000,
    ShortAddresses1795759500000,
    HostMessages1795772280002,
    TimeZones1795799410000,
    Covers1795799551000,
    PublicAttendees1795801844000,
    Galleries1795821000000,
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
      reservedSlugs: RESERVED_SLUGS.join(' '),
      hostMessagesOfWriter: String(HOST_MESSAGES.ofWriter),
      hostMessagesOfHost: String(HOST_MESSAGES.ofHost),
      rollUpAfter: `${ROLL_UP_AFTER} s`,
      longestStatement: `${Math.ceil(DEADLINES.statement / 1000)} s`,
    },
  },
};
