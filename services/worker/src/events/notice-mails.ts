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
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { buttons, eventRows, type ListedEvent, paragraph, quote } from '@meetmark/platform/mail/blocks';
import { HandlesJob, type JobContext, LATER, type MailOutcome } from '../queue/job-handler.js';
import { always, comingUp, rowsWithoutPlace, view } from './booking-mails.js';
import { EventMails, eventTemplate, type EventVariables, isOver } from './event-mails.js';
import { mailWords } from '../mail/words.js';

@Injectable()
export class NoticeMails {
  constructor(
    private readonly dataSource: DataSource,
    private readonly mails: EventMails,
  ) {}

  /** Skips past events, and changes that were undone. */
  @HandlesJob(EventChangedMail, { priority: LATER })
  async eventChanged(payload: PayloadOf<typeof EventChangedMail>, job: JobContext): Promise<MailOutcome> {
    const { eventId, userId, registrationId, changed, before = {}, notes = [] } = payload;
    const registration = await (userId === undefined
      ? this.mails.registration({ registrationId: registrationId! })
      : this.mails.place(eventId, userId));
    if (registration?.status !== REGISTERED || isOver(registration)) return 'skipped';
    const { shown } = registration;
    const known: Record<string, string> = before;
    const parts = NOTIFIED_CHANGES.filter(
      (part) => changed.includes(part) && (part === 'details' || known[part] !== shown[part]),
    );
    if (parts.length === 0 && notes.length === 0) return 'skipped';
    const was = Object.fromEntries(
      Object.entries(before).filter(([part]) => parts.includes(part as NotifiedChange)),
    );
    return this.mails.send(job, registration, {
      content: (mail) =>
        eventChanged({
          ...mail,
          changed: parts,
          was: this.mails.wordsFor(was, registration.event, mail.locale),
          notes,
        }),
      list: isMoved(parts) ? undefined : 'eventUpdates',
      entry: 'invitation',
    });
  }

  /**
   * Skips an event that had already ended. Removes calendar entries only of registered people, because others
   * have none.
   */
  @HandlesJob(EventCancelledMail, { priority: LATER })
  async eventCancelled(
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
        content: (mail) =>
          eventCancelled({ ...mail, waiting, page, organisers: reason, next: next(mail.locale) }),
        entry: waiting ? undefined : 'withdrawal',
      },
    );
  }

  /**
   * Skips people who are no longer named as host or speaker or have already answered. Also skips invitations
   * by someone who no longer manages the event.
   */
  @HandlesJob(NamedInEventMail, { priority: LATER })
  async namedInEvent(
    { eventId, userId, role }: PayloadOf<typeof NamedInEventMail>,
    job: JobContext,
  ): Promise<MailOutcome> {
    const [named] = await this.dataSource.query<{ manages: boolean }[]>(
      `SELECT manages FROM events.event_people
       WHERE event_id = $1 AND user_id = $2 AND role = $3
         AND (agreed_at IS NULL OR manages AND manages_agreed_at IS NULL)
         AND events.management_refusal(asked_by_id, event_id, true) IS NULL`,
      [eventId, userId, role],
    );
    const event = named && (await this.mails.event(eventId, { drafts: named.manages }));
    if (!event || isOver(event)) return 'skipped';
    const content = (mail: EventVariables) =>
      named.manages ? coHostAsked(mail) : namedInEvent({ ...mail, role });
    return this.mails.send(job, { userId, ...event }, { content });
  }
}

interface Change {
  changed: NotifiedChange[];
  was: Record<keyof ShownState, string | null>;
  notes: string[];
}

/** Returns whether a change affects attendance. Members can't turn off emails about such changes. */
const isMoved = (changed: NotifiedChange[]) =>
  (['time', 'location', 'online', 'accessibility'] as const).some((part) => changed.includes(part));

export const eventChanged = eventTemplate<Change>('event-changed', (mail) => {
  const { changed, was, notes, when, title } = mail;
  const { changed: words, reminder, organisersWrite } = mailWords(mail.locale);
  const named = changed.filter((part) => part !== 'details').map((part) => words.parts[part]);
  const parts = new Intl.ListFormat(mail.locale).format(named);
  const what =
    named.length > 0 ? words.whatParts({ parts }) : changed.length > 0 ? words.whatDetails : words.whatNote;
  const reason = reminder.reason({ community: mail.communityName });
  return {
    subject: changed.length > 0 ? words.subject({ title }) : words.subjectNote({ title }),
    preview: named.length > 0 ? words.preview({ parts, when: when.text }) : when.text,
    status: { words: changed.length > 0 ? words.status : words.statusNote, tone: 'news' },
    titleWas: was.title,
    blocks: [
      paragraph(what),
      eventRows({ ...mail, price: changed.includes('price') ? mail.price : null, was }),
      ...notes.map((note) => quote(organisersWrite, note)),
      ...(changed.length > 0
        ? [
            paragraph(words.youKeep),
            buttons(
              { label: words.keep, url: mail.keepUrl },
              { label: words.giveUp, url: mail.giveUpUrl ?? mail.takeOverUrl ?? mail.eventUrl },
            ),
          ]
        : [buttons(view(mail))]),
    ],
    reason: isMoved(changed) ? always(reason, mail) : reason,
  };
});

interface Cancellation {
  waiting: boolean;
  page: boolean;
  organisers: string | null;
  next: ListedEvent[];
}

export const eventCancelled = eventTemplate<Cancellation>('event-cancelled', (mail) => {
  const { cancelled: words, placeRemoved: removed } = mailWords(mail.locale);
  const { waiting, communityName: community } = mail;
  return {
    subject: words.subject({ title: mail.title }),
    preview: words.preview({ when: mail.when.text }),
    status: { words: words.status, tone: 'bad' },
    blocks: [
      paragraph(waiting ? words.whatWaited : words.what),
      ...(mail.organisers === null ? [] : [quote(words.why, mail.organisers)]),
      rowsWithoutPlace(mail),
      paragraph(waiting ? words.nothingToDo : words.entry),
      ...comingUp(mail, ...(mail.page ? [view(mail)] : [])),
    ],
    reason: always(waiting ? removed.reasonWaited({ community }) : removed.reason({ community }), mail),
  };
});

export const coHostAsked = eventTemplate('co-host-asked', (mail) => {
  const { coHost: words, profile, reason } = mailWords(mail.locale).named;
  return {
    subject: words.subject({ title: mail.title }),
    preview: words.preview,
    status: { words: words.status, tone: 'news' },
    blocks: [
      paragraph(words.what),
      rowsWithoutPlace(mail),
      buttons({ label: profile, url: mail.profileUrl }),
    ],
    reason: reason({ community: mail.communityName }),
  };
});

export const namedInEvent = eventTemplate<{ role: EventRoleName }>('named-in-event', (mail) => {
  const { role: words, profile, reason } = mailWords(mail.locale).named;
  const { role, title } = mail;
  return {
    subject: words.subject({ role, title }),
    preview: words.preview,
    status: { words: words.status({ role }), tone: 'news' },
    blocks: [
      paragraph(words.what({ role })),
      rowsWithoutPlace(mail),
      buttons({ label: profile, url: mail.profileUrl }, view(mail)),
    ],
    reason: reason({ community: mail.communityName }),
  };
});
