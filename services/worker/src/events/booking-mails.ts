import {
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
import { UnverifiedAccounts } from '../auth/unverified-accounts.js';
import {
  HandlesJob,
  type JobContext,
  type JobHandler,
  LATER,
  type MailOutcome,
  SOON,
} from '../queue/job-handler.js';
import { EventMails, eventTemplate, type EventVariables, isOver } from './event-mails.js';
import { frameWords } from '@meetmark/platform/mail/words';
import { mailWords } from '../mail/words.js';

// Mails about a member's own place. A handler sends nothing that is no longer true when its turn comes.

@HandlesJob(RegistrationConfirmedMail, { priority: SOON })
export class RegistrationConfirmedMailJob implements JobHandler<PayloadOf<typeof RegistrationConfirmedMail>> {
  constructor(private readonly mails: EventMails) {}

  /** A place that was taken again has its own mail. */
  async handle(payload: PayloadOf<typeof RegistrationConfirmedMail>, job: JobContext): Promise<MailOutcome> {
    const registration = await this.mails.registration(payload);
    if (registration?.status !== REGISTERED) return 'skipped';
    return this.mails.send(job, registration, {
      content: registrationConfirmed,
      entry: 'invitation',
      withCode: true,
    });
  }
}

@HandlesJob(PromotedMail, { priority: SOON })
export class PromotedMailJob implements JobHandler<PayloadOf<typeof PromotedMail>> {
  constructor(
    private readonly mails: EventMails,
    private readonly accounts: UnverifiedAccounts,
  ) {}

  /** To an address that is not verified goes what keeps the place; this mail follows once it is. */
  async handle(payload: PayloadOf<typeof PromotedMail>, job: JobContext): Promise<MailOutcome> {
    const registration = await this.mails.registration(payload);
    if (registration?.status !== REGISTERED || isOver(registration)) return 'skipped';
    const { userId, lapsesAt, event } = registration;
    if (userId !== null && lapsesAt !== null) await this.accounts.askToKeepPlace(job.id, userId, event.id);
    return this.mails.send(job, registration, { content: promoted, entry: 'invitation', withCode: true });
  }
}

@HandlesJob(WaitlistJoinedMail, { priority: SOON })
export class WaitlistJoinedMailJob implements JobHandler<PayloadOf<typeof WaitlistJoinedMail>> {
  constructor(private readonly mails: EventMails) {}

  /** Who has got a place by now has its mail. */
  async handle(payload: PayloadOf<typeof WaitlistJoinedMail>, job: JobContext): Promise<MailOutcome> {
    const registration = await this.mails.registration(payload);
    if (registration?.status !== WAITLISTED || isOver(registration)) return 'skipped';
    const position = await this.mails.positionOf(registration.id);
    return this.mails.send(job, registration, { content: (mail) => waitlistJoined({ ...mail, position }) });
  }
}

@HandlesJob(ReminderMail, { priority: LATER })
export class ReminderMailJob implements JobHandler<PayloadOf<typeof ReminderMail>> {
  constructor(private readonly mails: EventMails) {}

  /** When the event was moved, the new time has its own reminder. */
  async handle(payload: PayloadOf<typeof ReminderMail>, job: JobContext): Promise<MailOutcome> {
    const registration = await this.mails.registration(payload);
    if (registration?.status !== REGISTERED) return 'skipped';
    const start = registration.event.startDate;
    if (start.getTime() !== Date.parse(payload.startDate) || start <= new Date()) return 'skipped';
    return this.mails.send(job, registration, { content: reminder, list: 'reminders', withCode: true });
  }
}

@HandlesJob(UnregisteredMail, { priority: LATER })
export class UnregisteredMailJob implements JobHandler<PayloadOf<typeof UnregisteredMail>> {
  constructor(private readonly mails: EventMails) {}

  /** The calendar entry of an event that is over may stay. */
  async handle(payload: PayloadOf<typeof UnregisteredMail>, job: JobContext): Promise<MailOutcome> {
    const registration = await this.mails.registration(payload);
    if (registration?.status !== 'cancelled' || isOver(registration)) return 'skipped';
    return this.mails.send(job, registration, {
      content: unregistered,
      list: 'reminders',
      entry: 'withdrawal',
    });
  }
}

@HandlesJob(PlaceRemovedMail, { priority: LATER })
export class PlaceRemovedMailJob implements JobHandler<PayloadOf<typeof PlaceRemovedMail>> {
  constructor(private readonly mails: EventMails) {}

  async handle(payload: PayloadOf<typeof PlaceRemovedMail>, job: JobContext): Promise<MailOutcome> {
    const { reason, waited } = payload;
    const registration = await this.mails.registration(payload);
    if (registration?.status !== 'cancelled' || isOver(registration)) return 'skipped';
    // words for one person go to an address only once it is proved
    const organisers = registration.userId === null ? null : reason;
    const next = await this.mails.nextEvents(registration.event.id);
    return this.mails.send(job, registration, {
      content: (mail) => placeRemoved({ ...mail, organisers, waited, next: next(mail.locale) }),
      entry: waited ? undefined : 'withdrawal',
    });
  }
}

@HandlesJob(WaitlistDismissedMail, { priority: LATER })
export class WaitlistDismissedMailJob implements JobHandler<PayloadOf<typeof WaitlistDismissedMail>> {
  constructor(private readonly mails: EventMails) {}

  /** There was no place, so no calendar has an entry to take out. */
  async handle(
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

/** The link only shows a page: a mail program that follows it gives nothing up. A guest takes the place over first. */
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

/** What somebody with a place needs to know; a price only where there is something to pay. */
const rowsWithPlace = (mail: EventVariables) =>
  eventRows({ ...mail, price: mail.price?.howToPay ? mail.price : null });

/** And somebody without one. */
export const rowsWithoutPlace = ({ when, place, locale }: EventVariables) =>
  eventRows({ when, place, locale, directionsUrl: null, join: null, price: null });

const codeOf = ({ code, locale }: EventVariables) => (code === null ? [] : [doorCode(code, locale)]);

/** The parts of a mail to somebody who has got a place. */
const booked = (mail: EventVariables) => {
  const words = mailWords(mail.locale).booking;
  return [
    rowsWithPlace(mail),
    buttons(view(mail), { label: words.addToCalendar, url: mail.calendarUrl }),
    ...codeOf(mail),
    ...(mail.about === null ? [] : [subheading(words.about), paragraph(mail.about)]),
    giveUp(mail),
  ];
};

/** Why a mail came that cannot be turned off. */
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
      ...codeOf(mail),
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
  /** What the organisers wrote. */
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

/** Other events for a member who cannot go to this one. */
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
