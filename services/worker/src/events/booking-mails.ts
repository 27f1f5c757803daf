import {
  type PayloadOf,
  PlaceRemovedMail,
  PromotedMail,
  REGISTERED,
  RegistrationConfirmedMail,
  ReminderMail,
  UnregisteredMail,
  WaitlistDismissedMail,
} from '@meetmark/contracts';
import {
  buttons,
  doorCode,
  eventList,
  eventRows,
  type Link,
  paragraph,
  quote,
  subheading,
} from '@meetmark/platform/mail/blocks';
import {
  HandlesJob,
  type JobContext,
  type JobHandler,
  LATER,
  type MailOutcome,
  SOON,
} from '../queue/job-handler.js';
import {
  ALWAYS_SENT,
  EventMails,
  eventTemplate,
  type EventVariables,
  isOver,
  type NextEvent,
} from './event-mails.js';

// Mails about a member's own place. A handler sends nothing that is no longer true when its turn comes.

@HandlesJob(RegistrationConfirmedMail, { priority: SOON })
export class RegistrationConfirmedMailJob implements JobHandler<PayloadOf<typeof RegistrationConfirmedMail>> {
  constructor(private readonly mails: EventMails) {}

  /** A place that was taken again has its own mail. */
  async handle(
    { registrationId, registeredAt }: PayloadOf<typeof RegistrationConfirmedMail>,
    job: JobContext,
  ): Promise<MailOutcome> {
    const registration = await this.mails.registration(registrationId, registeredAt);
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
  constructor(private readonly mails: EventMails) {}

  async handle(
    { registrationId, registeredAt }: PayloadOf<typeof PromotedMail>,
    job: JobContext,
  ): Promise<MailOutcome> {
    const registration = await this.mails.registration(registrationId, registeredAt);
    if (registration?.status !== REGISTERED || isOver(registration)) return 'skipped';
    return this.mails.send(job, registration, { content: promoted, entry: 'invitation', withCode: true });
  }
}

@HandlesJob(ReminderMail, { priority: LATER })
export class ReminderMailJob implements JobHandler<PayloadOf<typeof ReminderMail>> {
  constructor(private readonly mails: EventMails) {}

  /** When the event was moved, the new time has its own reminder. */
  async handle(
    { registrationId, startDate }: PayloadOf<typeof ReminderMail>,
    job: JobContext,
  ): Promise<MailOutcome> {
    const registration = await this.mails.registration(registrationId);
    if (registration?.status !== REGISTERED) return 'skipped';
    const start = registration.event.startDate;
    if (start.getTime() !== Date.parse(startDate) || start <= new Date()) return 'skipped';
    return this.mails.send(job, registration, { content: reminder, list: 'reminders', withCode: true });
  }
}

@HandlesJob(UnregisteredMail, { priority: LATER })
export class UnregisteredMailJob implements JobHandler<PayloadOf<typeof UnregisteredMail>> {
  constructor(private readonly mails: EventMails) {}

  /** The calendar entry of an event that is over may stay. */
  async handle(
    { registrationId, registeredAt }: PayloadOf<typeof UnregisteredMail>,
    job: JobContext,
  ): Promise<MailOutcome> {
    const registration = await this.mails.registration(registrationId, registeredAt);
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

  async handle(
    { registrationId, registeredAt, reason, waited }: PayloadOf<typeof PlaceRemovedMail>,
    job: JobContext,
  ): Promise<MailOutcome> {
    const registration = await this.mails.registration(registrationId, registeredAt);
    if (registration?.status !== 'cancelled' || isOver(registration)) return 'skipped';
    const next = await this.mails.nextEvents(registration.event.id);
    return this.mails.send(job, registration, {
      content: (mail) => placeRemoved({ ...mail, organisers: reason, waited, next }),
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
    return this.mails.send(job, registration, { content: (mail) => waitlistDismissed({ ...mail, next }) });
  }
}

const WAITING = { 0: '.', 1: ' – 1 person is waiting.' } as Record<number, string>;

/** The link only shows a page: a mail program that follows it gives nothing up. A guest takes the place over first. */
const giveUp = ({ giveUpUrl, takeOverUrl, waitingCount }: EventVariables) => {
  const waiting = WAITING[waitingCount] ?? ` – ${waitingCount} people are waiting.`;
  return giveUpUrl === null
    ? paragraph(
        "An organiser has added you. To see your place in My Events, or to give it up if you can't make it, ",
        { label: 'confirm that this address is yours', url: takeOverUrl ?? '' },
        waiting,
      )
    : paragraph("Can't make it? ", { label: 'Give up your place', url: giveUpUrl }, waiting);
};

const view = ({ eventUrl }: EventVariables) => ({ label: 'View event', url: eventUrl });

/** What somebody with a place needs to know; a price only where there is something to pay. */
const rowsWithPlace = (mail: EventVariables) =>
  eventRows({ ...mail, price: mail.price?.howToPay ? mail.price : null });

/** And somebody without one. */
export const rowsWithoutPlace = ({ when, place }: EventVariables) =>
  eventRows({ when, place, directionsUrl: null, join: null, price: null });

const codeOf = ({ code }: EventVariables) => (code === null ? [] : [doorCode(code)]);

/** Of somebody who has got a place. */
const booked = (mail: EventVariables) => [
  rowsWithPlace(mail),
  buttons(view(mail), { label: 'Add to calendar', url: mail.calendarUrl }),
  ...codeOf(mail),
  ...(mail.about === null ? [] : [subheading('About'), paragraph(mail.about)]),
  giveUp(mail),
];

export const registrationConfirmed = eventTemplate('registration-confirmed', (mail) => ({
  subject: `You are registered: ${mail.title}`,
  preview: mail.when.text,
  status: { words: "You're in", tone: 'good' },
  blocks: [
    paragraph('Your place is booked. The attached entry puts it into your calendar.'),
    ...booked(mail),
  ],
  reason: `You get this mail because you registered for an event of ${mail.communityName}. ${ALWAYS_SENT}`,
}));

export const promoted = eventTemplate('promoted', (mail) => ({
  subject: `You have a place: ${mail.title}`,
  preview: `A place became free. ${mail.when.text}`,
  status: { words: 'You have a place', tone: 'good' },
  blocks: [
    paragraph(
      'You were on the waiting list, and a place became free: it is yours. The attached entry puts the event into your calendar.',
    ),
    ...booked(mail),
  ],
  reason: `You get this mail because you joined the waiting list of an event of ${mail.communityName}. ${ALWAYS_SENT}`,
}));

export const reminder = eventTemplate('reminder', (mail) => ({
  subject: `Coming up: ${mail.title}`,
  preview: mail.when.text,
  status: { words: 'Coming up', tone: 'news' },
  blocks: [
    paragraph('An event that you are registered for begins soon. We look forward to seeing you.'),
    rowsWithPlace(mail),
    buttons(...(mail.join === null ? [] : [{ label: 'Join online', url: mail.join.url }]), view(mail)),
    ...codeOf(mail),
    giveUp(mail),
  ],
  reason: `You get this mail because you are registered for this event of ${mail.communityName}.`,
}));

export const unregistered = eventTemplate('unregistered', (mail) => ({
  subject: `You are no longer registered: ${mail.title}`,
  preview: 'You gave up your place.',
  status: { words: 'Place given up', tone: 'news' },
  blocks: [
    paragraph('You gave up your place. The attached entry takes the event out of your calendar.'),
    rowsWithoutPlace(mail),
    paragraph('Can you come after all? You can register again while there are places left.'),
    buttons(view(mail)),
  ],
  reason: `You get this mail because you unregistered from an event of ${mail.communityName}.`,
}));

interface Removal {
  /** What the organisers wrote. */
  organisers: string | null;
  waited: boolean;
  next: NextEvent[];
}

export const placeRemoved = eventTemplate<Removal>('place-removed', (mail) => ({
  subject: mail.waited
    ? `No longer on the waiting list: ${mail.title}`
    : `Your place was cancelled: ${mail.title}`,
  preview: 'The organisers have taken you off the guest list. We are sorry.',
  status: { words: mail.waited ? 'Waiting list' : 'Place cancelled', tone: mail.waited ? 'news' : 'bad' },
  blocks: [
    paragraph(
      mail.waited
        ? 'The organisers have taken you off the waiting list of this event. We are sorry.'
        : 'The organisers have cancelled your place at this event. We are sorry. The attached entry takes the event out of your calendar.',
    ),
    ...(mail.organisers === null ? [] : [quote('The organisers write', mail.organisers)]),
    rowsWithoutPlace(mail),
    ...comingUp(mail.next, mail.homeUrl),
  ],
  reason: `You get this mail because you were ${mail.waited ? 'on the waiting list' : 'registered'} for this event of ${mail.communityName}. ${ALWAYS_SENT}`,
}));

/** Events that whoever cannot go to this one may like. */
export const comingUp = (next: NextEvent[], homeUrl: string, ...more: Link[]) => [
  ...(next.length === 0 ? [] : [subheading('Coming up next'), eventList(next)]),
  buttons({ label: 'See other events', url: homeUrl }, ...more),
];

export const waitlistDismissed = eventTemplate<{ next: NextEvent[] }>('waitlist-dismissed', (mail) => ({
  subject: `No longer on the waiting list: ${mail.title}`,
  preview: 'There will be no place for you this time. We are sorry.',
  status: { words: 'Waiting list', tone: 'news' },
  blocks: [
    paragraph(
      'You are no longer on the waiting list of this event: there will be no place for you this time. We are sorry.',
    ),
    rowsWithoutPlace(mail),
    ...comingUp(mail.next, mail.homeUrl),
  ],
  reason: `You get this mail because you joined the waiting list of an event of ${mail.communityName}. ${ALWAYS_SENT}`,
}));
