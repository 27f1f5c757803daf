import {
  EventCancelledMail,
  EventChangedMail,
  type EventRoleName,
  NamedInEventMail,
  NOTIFIED_CHANGES,
  type NotifiedChange,
  type PayloadOf,
  REGISTERED,
  type ShownState,
} from '@meetmark/contracts';
import { DataSource } from 'typeorm';
import { buttons, eventRows, paragraph, quote } from '@meetmark/platform/mail/blocks';
import {
  HandlesJob,
  type JobContext,
  type JobHandler,
  LATER,
  type MailOutcome,
} from '../queue/job-handler.js';
import { comingUp, rowsWithoutPlace } from './booking-mails.js';
import {
  ALWAYS_SENT,
  EventMails,
  eventTemplate,
  type EventVariables,
  isOver,
  type NextEvent,
} from './event-mails.js';

// Mails about what organisers did to an event that a member has a place at.

@HandlesJob(EventChangedMail, { priority: LATER })
export class EventChangedMailJob implements JobHandler<PayloadOf<typeof EventChangedMail>> {
  constructor(private readonly mails: EventMails) {}

  /**
   * Describes the event as it is now, beside what it was. Sends nothing about an event that is over, as corrections of the past are not
   * news, nor when it is again what the recipient knew.
   */
  async handle(payload: PayloadOf<typeof EventChangedMail>, job: JobContext): Promise<MailOutcome> {
    const { eventId, userId, registrationId, changed, before = {}, notes = [] } = payload;
    const registration = await (userId === undefined
      ? this.mails.registration(registrationId!)
      : this.mails.place(eventId, userId));
    if (registration?.status !== REGISTERED || isOver(registration)) return 'skipped';
    const { shown } = registration;
    const known: Record<string, string> = before;
    const parts = NOTIFIED_CHANGES.filter(
      (part) => changed.includes(part) && (part === 'details' || known[part] !== shown[part]),
    );
    if (parts.length === 0 && notes.length === 0) return 'skipped';
    const was = Object.fromEntries(Object.entries(before).filter(([part]) => parts.includes(part as Part)));
    return this.mails.send(job, registration, {
      content: (mail) => eventChanged({ ...mail, changed: parts, was: this.mails.wordsFor(was), notes }),
      list: isMoved(parts) ? undefined : 'eventUpdates',
      entry: 'invitation',
    });
  }
}

type Part = NotifiedChange;

interface Change {
  changed: Part[];
  /** In words. */
  was: Record<keyof ShownState, string | null>;
  /** What the organisers wrote. */
  notes: string[];
}

/** A new time or place concerns the member's own booking: such mails cannot be turned off. */
const isMoved = (changed: Part[]) =>
  (['time', 'location', 'online'] as const).some((part) => changed.includes(part));

const WORDS = {
  ...{ time: 'time', location: 'place', online: 'joining link' },
  ...{ price: 'price', title: 'title' },
} as const;

export const eventChanged = eventTemplate<Change>('event-changed', (mail) => {
  const { changed, was, notes, when } = mail;
  const named = changed.filter((part) => part !== 'details').map((part) => WORDS[part]);
  const parts = new Intl.ListFormat(mail.locale).format(named);
  const what =
    named.length > 0
      ? `An event that you are registered for has a new ${parts}. This is how it stands now:`
      : changed.length > 0
        ? 'The organisers have changed the description or other details of an event that you are registered for:'
        : 'The organisers have written to you about an event that you are registered for:';
  return {
    subject: changed.length > 0 ? `Changed: ${mail.title}` : `About: ${mail.title}`,
    preview: named.length > 0 ? `New ${parts}. ${when.text}` : when.text,
    status: { words: changed.length > 0 ? 'Changed' : 'From the organisers', tone: 'news' },
    titleWas: was.title,
    blocks: [
      paragraph(what),
      eventRows({ ...mail, price: changed.includes('price') ? mail.price : null, was }),
      ...notes.map((note) => quote('The organisers write', note)),
      ...(changed.length > 0
        ? [
            paragraph(
              'You keep your place, and the attached entry brings your calendar up to date. Does it still suit you?',
            ),
            buttons(
              { label: 'Keep my place', url: mail.eventUrl },
              { label: 'Give up my place', url: mail.giveUpUrl ?? mail.takeOverUrl ?? mail.eventUrl },
            ),
          ]
        : [buttons({ label: 'View event', url: mail.eventUrl })]),
    ],
    reason: `You get this mail because you are registered for this event of ${mail.communityName}.${isMoved(changed) ? ` ${ALWAYS_SENT}` : ''}`,
  };
});

@HandlesJob(EventCancelledMail, { priority: LATER })
export class EventCancelledMailJob implements JobHandler<PayloadOf<typeof EventCancelledMail>> {
  constructor(private readonly mails: EventMails) {}

  /** Sends nothing when the event was deleted after its end. Who only waited has no entry to take out. */
  async handle(
    { event, userId, guest, waiting: waits }: PayloadOf<typeof EventCancelledMail>,
    job: JobContext,
  ): Promise<MailOutcome> {
    const { isAllDay = false, page: stays, reason = null, ...rest } = event;
    const [page, waiting] = [stays ?? false, waits ?? false];
    const cancelled = {
      ...rest,
      isAllDay,
      startDate: new Date(event.startDate),
      endDate: new Date(event.endDate),
    };
    if (cancelled.endDate <= job.createdAt) return 'skipped';
    const next = await this.mails.nextEvents(event.id);
    return this.mails.send(
      job,
      { userId, guest, event: cancelled },
      {
        content: (mail) => eventCancelled({ ...mail, waiting, page, organisers: reason, next }),
        entry: waiting ? undefined : 'withdrawal',
      },
    );
  }
}

interface Cancellation {
  waiting: boolean;
  /** The event still has its page. */
  page: boolean;
  /** What the organisers wrote. */
  organisers: string | null;
  next: NextEvent[];
}

export const eventCancelled = eventTemplate<Cancellation>('event-cancelled', (mail) => ({
  subject: `Cancelled: ${mail.title}`,
  preview: `It will not take place. ${mail.when.text}`,
  status: { words: 'Cancelled', tone: 'bad' },
  blocks: [
    paragraph(
      mail.waiting
        ? 'An event that you were on the waiting list for has been cancelled. We are sorry.'
        : 'An event that you were registered for has been cancelled. We are sorry.',
    ),
    ...(mail.organisers === null ? [] : [quote('Why', mail.organisers)]),
    rowsWithoutPlace(mail),
    paragraph(
      mail.waiting
        ? 'There is nothing that you need to do.'
        : 'The attached entry takes it out of your calendar. There is nothing that you need to do.',
    ),
    ...comingUp(mail.next, mail.homeUrl, ...(mail.page ? [{ label: 'View event', url: mail.eventUrl }] : [])),
  ],
  reason: `You get this mail because you were ${mail.waiting ? 'on the waiting list' : 'registered'} for this event of ${mail.communityName}. ${ALWAYS_SENT}`,
}));

@HandlesJob(NamedInEventMail, { priority: LATER })
export class NamedInEventMailJob implements JobHandler<PayloadOf<typeof NamedInEventMail>> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly mails: EventMails,
  ) {}

  /** Sends nothing to somebody who is not named any more or has answered, nor about an event that is over or cancelled. */
  async handle(
    { eventId, userId, role }: PayloadOf<typeof NamedInEventMail>,
    job: JobContext,
  ): Promise<MailOutcome> {
    const [named] = await this.dataSource.query<{ manages: boolean }[]>(
      `SELECT manages FROM events.event_people
       WHERE event_id = $1 AND user_id = $2 AND role = $3
         AND (agreed_at IS NULL OR manages AND manages_agreed_at IS NULL)`,
      [eventId, userId, role],
    );
    const event = named && (await this.mails.event(eventId, { drafts: named.manages }));
    if (!event || isOver(event)) return 'skipped';
    const content = (mail: EventVariables) =>
      named.manages ? coHostAsked(mail) : namedInEvent({ ...mail, role });
    return this.mails.send(job, { userId, ...event }, { content });
  }
}

/** The event may be a draft, which has no page to look at. */
export const coHostAsked = eventTemplate('co-host-asked', (mail) => ({
  subject: `You are asked to co-host: ${mail.title}`,
  preview: 'A co-host is shown on the page of the event and manages it together with its organisers.',
  status: { words: 'Asked to co-host', tone: 'news' },
  blocks: [
    paragraph(
      'The organisers ask you to co-host this event. Once you agree in your profile, your name and picture are shown on its page, and you can change the event and see who comes.',
    ),
    rowsWithoutPlace(mail),
    buttons({ label: 'Open your profile', url: mail.profileUrl }),
  ],
  reason: `You get this mail because you were named in an event of ${mail.communityName}.`,
}));

export const namedInEvent = eventTemplate<{ role: EventRoleName }>('named-in-event', (mail) => ({
  subject: `You are named as a ${mail.role}: ${mail.title}`,
  preview: 'Say whether your name and picture may be shown on the page of the event.',
  status: { words: `Named as a ${mail.role}`, tone: 'news' },
  blocks: [
    paragraph(
      `The organisers have named you as a ${mail.role} of this event. Your name and picture are shown on its page once you agree in your profile.`,
    ),
    rowsWithoutPlace(mail),
    buttons(
      { label: 'Open your profile', url: mail.profileUrl },
      { label: 'View event', url: mail.eventUrl },
    ),
  ],
  reason: `You get this mail because you were named in an event of ${mail.communityName}.`,
}));
