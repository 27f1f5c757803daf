import {
  HeldConfirmations,
  type PayloadOf,
  PlaceRemovedMail,
  PromotedMail,
  REGISTERED,
  RegistrationConfirmedMail,
  ReminderMail,
  UnregisteredMail,
  WaitlistDismissedMail,
  WAITLISTED,
  WaitlistJoinedMail,
} from '@meetmark/contracts';
import { insertJobs, notifyRelay } from '@meetmark/platform';
import {
  buttons,
  doorCode,
  eventList,
  eventRows,
  type Link,
  type ListedEvent,
  paragraph,
  quote,
  subheading,
} from '@meetmark/platform/mail/blocks';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { HandlesJob, type JobContext, LATER, type MailOutcome, SOON } from '../queue/job-handler.js';
import { EventMails, eventTemplate, type EventVariables, isOver } from './event-mails.js';
import { frameWords } from '@meetmark/platform/mail/words';
import { mailWords } from '../mail/words.js';

/** Checks just before sending whether the content is still true, and otherwise skips the email. */
@Injectable()
export class BookingMails {
  constructor(
    private readonly dataSource: DataSource,
    private readonly mails: EventMails,
  ) {}

  /** Skips a registration that was cancelled and renewed, because the renewal causes its own email. */
  @HandlesJob(RegistrationConfirmedMail, { priority: SOON })
  async registrationConfirmed(
    payload: PayloadOf<typeof RegistrationConfirmedMail>,
    job: JobContext,
  ): Promise<MailOutcome> {
    const registration = await this.mails.registration(payload);
    if (registration?.status !== REGISTERED) return 'skipped';
    return this.mails.send(job, registration, {
      content: registrationConfirmed,
      entry: 'invitation',
      withCode: true,
      own: payload.own,
    });
  }

  /**
   * Adds new jobs for the confirmations that were skipped because the email address wasn't verified. Their
   * ids are derived from the registration, so that a retry adds no duplicates.
   */
  @HandlesJob(HeldConfirmations)
  async heldConfirmations({ userId }: PayloadOf<typeof HeldConfirmations>): Promise<void> {
    await this.dataSource.query(HELD, [userId]);
  }

  @HandlesJob(PromotedMail, { priority: SOON })
  async promoted(payload: PayloadOf<typeof PromotedMail>, job: JobContext): Promise<MailOutcome> {
    const registration = await this.mails.registration(payload);
    if (registration?.status !== REGISTERED || isOver(registration)) return 'skipped';
    return this.mails.send(job, registration, { content: promoted, entry: 'invitation', withCode: true });
  }

  @HandlesJob(WaitlistJoinedMail, { priority: SOON })
  async waitlistJoined(payload: PayloadOf<typeof WaitlistJoinedMail>, job: JobContext): Promise<MailOutcome> {
    const registration = await this.mails.registration(payload);
    if (registration?.status !== WAITLISTED || isOver(registration)) return 'skipped';
    const position = await this.mails.fetchPosition(registration.id);
    return this.mails.send(job, registration, { content: (mail) => waitlistJoined({ ...mail, position }) });
  }

  /** Skips an event whose start has changed, because the new start has its own reminder. */
  @HandlesJob(ReminderMail, { priority: LATER })
  async reminder(payload: PayloadOf<typeof ReminderMail>, job: JobContext): Promise<MailOutcome> {
    const registration = await this.mails.registration(payload);
    if (registration?.status !== REGISTERED) return 'skipped';
    const start = registration.event.startDate;
    if (start.getTime() !== Date.parse(payload.startDate) || start <= new Date()) return 'skipped';
    return this.mails.send(job, registration, { content: reminder, list: 'reminders', withCode: true });
  }

  /** Skips past events, so that they stay in the member's calendar. */
  @HandlesJob(UnregisteredMail, { priority: LATER })
  async unregistered(payload: PayloadOf<typeof UnregisteredMail>, job: JobContext): Promise<MailOutcome> {
    const registration = await this.mails.registration(payload);
    if (registration?.status !== 'cancelled' || isOver(registration)) return 'skipped';
    return this.mails.send(job, registration, {
      content: unregistered,
      list: 'reminders',
      entry: 'withdrawal',
    });
  }

  @HandlesJob(PlaceRemovedMail, { priority: LATER })
  async placeRemoved(payload: PayloadOf<typeof PlaceRemovedMail>, job: JobContext): Promise<MailOutcome> {
    const { reason, waited } = payload;
    const registration = await this.mails.registration(payload);
    if (registration?.status !== 'cancelled' || isOver(registration)) return 'skipped';
    // Guests don't get the organiser's reason, because their email addresses aren't verified.
    const organisers = registration.userId === null ? null : reason;
    const next = await this.mails.nextEvents(registration.event.id);
    return this.mails.send(job, registration, {
      content: (mail) => placeRemoved({ ...mail, organisers, waited, next: next(mail.locale) }),
      entry: waited ? undefined : 'withdrawal',
    });
  }

  /** Attaches no calendar entry, because people on the waiting list have none. */
  @HandlesJob(WaitlistDismissedMail, { priority: LATER })
  async waitlistDismissed(
    { eventId, userId }: PayloadOf<typeof WaitlistDismissedMail>,
    job: JobContext,
  ): Promise<MailOutcome> {
    const registration = await this.mails.place(eventId, userId);
    if (registration?.status !== 'cancelled' || isOver(registration)) return 'skipped';
    const next = await this.mails.nextEvents(eventId);
    return this.mails.send(job, registration, {
      content: (mail) => waitlistDismissed({ ...mail, next: next(mail.locale) }),
    });
  }
}

const HELD = `
  WITH held AS (
    SELECT r.id, to_char(r.registered_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS registered_at
    FROM events.event_registrations r JOIN events.events e ON e.id = r.event_id
    WHERE r.user_id = $1 AND r.status = '${REGISTERED}' AND e.status = 'published' AND e.end_date > now()
  ), unconfirmed AS (
    SELECT id, registered_at FROM held WHERE NOT EXISTS (
      SELECT FROM events.outbox o
      WHERE o.job IN ('${RegistrationConfirmedMail.name}', '${PromotedMail.name}') AND o.payload ->> 'registrationId' = held.id::text
        AND o.payload ->> 'registeredAt' = held.registered_at AND (o.done_at IS NULL OR NOT o.skipped))
  ), written AS (
    ${insertJobs(
      'events',
      RegistrationConfirmedMail,
      {
        id: "md5('held confirmation ' || id || ' ' || registered_at)::uuid",
        payload: "jsonb_build_object('registrationId', id, 'registeredAt', registered_at, 'own', true)",
      },
      'FROM unconfirmed ON CONFLICT (id) DO NOTHING RETURNING id',
    )}
  )
  SELECT ${notifyRelay('events')} WHERE EXISTS (SELECT FROM written)`;

/** Links to a page with a button, so that a link scanner can't cancel a registration. */
const giveUp = ({ giveUpUrl, takeOverUrl, waitingCount: count, locale }: EventVariables) => {
  const words = mailWords(locale).booking;
  const waiting = words.waiting({ count });
  return giveUpUrl === null
    ? paragraph(words.addedByOrganiser, { label: words.confirmAddress, url: takeOverUrl ?? '' }, waiting)
    : paragraph(words.cannotCome, { label: words.giveUp, url: giveUpUrl }, waiting);
};

export const view = ({ eventUrl, locale }: EventVariables) => ({
  label: mailWords(locale).viewEvent,
  url: eventUrl,
});

const rowsWithPlace = (mail: EventVariables) =>
  eventRows({ ...mail, price: mail.price?.howToPay ? mail.price : null });

export const rowsWithoutPlace = ({ when, place, locale }: EventVariables) =>
  eventRows({ when, place, locale, directionsUrl: null, join: null, price: null });

const buildCodeBlock = ({ code, locale }: EventVariables) => (code === null ? [] : [doorCode(code, locale)]);

const booked = (mail: EventVariables) => {
  const words = mailWords(mail.locale).booking;
  return [
    rowsWithPlace(mail),
    buttons(view(mail), { label: words.addToCalendar, url: mail.calendarUrl }),
    ...buildCodeBlock(mail),
    ...(mail.about === null ? [] : [subheading(words.about), paragraph(mail.about)]),
    giveUp(mail),
  ];
};

export const always = (reason: string, { locale }: EventVariables) =>
  `${reason} ${mailWords(locale).alwaysSent}`;

export const registrationConfirmed = eventTemplate('registration-confirmed', (mail) => {
  const words = mailWords(mail.locale).confirmed;
  return {
    subject: words.subject({ title: mail.title }),
    preview: mail.when.text,
    status: { words: words.status, tone: 'good' },
    blocks: [paragraph(words.what), ...booked(mail)],
    reason: always(words.reason({ community: mail.communityName }), mail),
  };
});

export const promoted = eventTemplate('promoted', (mail) => {
  const { promoted: words, booking } = mailWords(mail.locale);
  return {
    subject: words.subject({ title: mail.title }),
    preview: words.preview({ when: mail.when.text }),
    status: { words: words.status, tone: 'good' },
    blocks: [paragraph(words.what), ...booked(mail)],
    reason: always(booking.joinedList({ community: mail.communityName }), mail),
  };
});

export const waitlistJoined = eventTemplate<{ position: number }>('waitlist-joined', (mail) => {
  const { waitlistJoined: words, booking } = mailWords(mail.locale);
  const { title, position, giveUpUrl, eventUrl } = mail;
  return {
    subject: words.subject({ title }),
    preview: words.preview({ position }),
    status: { words: words.status, tone: 'news' },
    blocks: [
      paragraph(words.what({ position })),
      rowsWithoutPlace(mail),
      buttons(view(mail), { label: words.leave, url: giveUpUrl ?? eventUrl }),
    ],
    reason: always(booking.joinedList({ community: mail.communityName }), mail),
  };
});

export const reminder = eventTemplate('reminder', (mail) => {
  const words = mailWords(mail.locale).reminder;
  return {
    subject: words.subject({ title: mail.title }),
    preview: mail.when.text,
    status: { words: words.status, tone: 'news' },
    blocks: [
      paragraph(words.what),
      rowsWithPlace(mail),
      buttons(
        ...(mail.join === null ? [] : [{ label: frameWords(mail.locale).event.join, url: mail.join.url }]),
        view(mail),
      ),
      ...buildCodeBlock(mail),
      giveUp(mail),
    ],
    reason: words.reason({ community: mail.communityName }),
  };
});

export const unregistered = eventTemplate('unregistered', (mail) => {
  const words = mailWords(mail.locale).unregistered;
  return {
    subject: words.subject({ title: mail.title }),
    preview: words.preview,
    status: { words: words.status, tone: 'news' },
    blocks: [paragraph(words.what), rowsWithoutPlace(mail), paragraph(words.again), buttons(view(mail))],
    reason: words.reason({ community: mail.communityName }),
  };
});

interface Removal {
  organisers: string | null;
  waited: boolean;
  next: ListedEvent[];
}

export const placeRemoved = eventTemplate<Removal>('place-removed', (mail) => {
  const { placeRemoved: words, organisersWrite } = mailWords(mail.locale);
  const { title, waited, communityName: community } = mail;
  return {
    subject: waited ? words.subjectWaited({ title }) : words.subject({ title }),
    preview: words.preview,
    status: waited ? { words: words.statusWaited, tone: 'news' } : { words: words.status, tone: 'bad' },
    blocks: [
      paragraph(waited ? words.whatWaited : words.what),
      ...(mail.organisers === null ? [] : [quote(organisersWrite, mail.organisers)]),
      rowsWithoutPlace(mail),
      ...comingUp(mail),
    ],
    reason: always(waited ? words.reasonWaited({ community }) : words.reason({ community }), mail),
  };
});

export const comingUp = (
  { next, homeUrl, locale }: EventVariables & { next: ListedEvent[] },
  ...more: Link[]
) => {
  const words = mailWords(locale).booking;
  return [
    ...(next.length === 0 ? [] : [subheading(words.next), eventList(next)]),
    buttons({ label: words.otherEvents, url: homeUrl }, ...more),
  ];
};

export const waitlistDismissed = eventTemplate<{ next: ListedEvent[] }>('waitlist-dismissed', (mail) => {
  const { waitlistDismissed: words, placeRemoved: removed, booking } = mailWords(mail.locale);
  return {
    subject: removed.subjectWaited({ title: mail.title }),
    preview: words.preview,
    status: { words: removed.statusWaited, tone: 'news' },
    blocks: [paragraph(words.what), rowsWithoutPlace(mail), ...comingUp(mail)],
    reason: always(booking.joinedList({ community: mail.communityName }), mail),
  };
});
