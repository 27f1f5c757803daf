import { getColumns, eventFields, type EventFieldName } from '@meetmark/contracts/events/event-fields';
import { FORMER_MEMBER } from '@meetmark/contracts/former-member';
import {
  MessageMail,
  NamedInEventMail,
  PromotedMail,
  RecordAudit,
  RollUpActivity,
  SendAnnouncement,
} from '@meetmark/contracts/jobs';
import { DEADLINES, EVENT_MAILS, ROLL_UP_AFTER } from '@meetmark/contracts/limits';
import { RESERVED_SLUGS } from '@meetmark/contracts/validation';
import { fillLetters } from './letters.js';

const columns = (names: EventFieldName[], row = '') =>
  names.flatMap((name) => getColumns(name).map((column) => row + column)).join(', ');
const changed = (names: EventFieldName[]) =>
  names
    .filter((name) => getColumns(name).length > 0)
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
  baseline: { file: 'services/events/src/database/baseline.sql', fill: fillLetters },
  migrations: [],
  code: {
    folder: 'services/events/src/database',
    values: {
      eventColumns: columns(LISTED),
      oldEvent: columns(LISTED, 'OLD.'),
      newEvent: columns(LISTED, 'NEW.'),
      changedOfEvent: changed(LISTED),
      changedOfContent: changed(CONTENT),
      // database functions add these jobs; for MessageMail, a trigger only records the outcome
      PromotedMail: PromotedMail.name,
      NamedInEventMail: NamedInEventMail.name,
      SendAnnouncement: SendAnnouncement.name,
      RecordAudit: RecordAudit.name,
      FORMER_MEMBER,
      RollUpActivity: RollUpActivity.name,
      MessageMail: MessageMail.name,
      reservedSlugs: RESERVED_SLUGS.join(' '),
      eventMailsPerDay: String(EVENT_MAILS.perDay),
      eventMailsPerDayBeforeStart: String(EVENT_MAILS.perDayBeforeStart),
      eventMailsApart: `${EVENT_MAILS.apart} minutes`,
      eventMailsBeforeStart: `${EVENT_MAILS.beforeStart} minutes`,
      rollUpAfter: `${ROLL_UP_AFTER} s`,
      longestStatement: `${Math.ceil(DEADLINES.statement / 1000)} s`,
    },
  },
};
