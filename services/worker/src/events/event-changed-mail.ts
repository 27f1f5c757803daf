import {
  EventChangedMail,
  NOTIFIED_CHANGES,
  type NotifiedChange,
  type PayloadOf,
  REGISTERED,
  type ShownState,
} from '@meetmark/contracts';
import { button, defineTemplate, facts, paragraph } from '../mail/content.js';
import { plain } from '../mail/plain.js';
import {
  HandlesJob,
  type JobContext,
  type JobHandler,
  LATER,
  type MailOutcome,
} from '../queue/job-handler.js';
import { EventMails, type EventVariables } from './event-mails.js';

@HandlesJob(EventChangedMail, { priority: LATER })
export class EventChangedMailJob implements JobHandler<PayloadOf<typeof EventChangedMail>> {
  constructor(private readonly mails: EventMails) {}

  /**
   * Describes the event as it is now, beside what it was. Sends nothing about an event that is over, as corrections of the past are not
   * news, nor when it is again what the recipient knew.
   */
  async handle(
    { eventId, userId, changed, before = {}, notes = [] }: PayloadOf<typeof EventChangedMail>,
    job: JobContext,
  ): Promise<MailOutcome> {
    const registration = await this.mails.place(eventId, userId);
    if (registration?.status !== REGISTERED || registration.event.endDate <= new Date()) return 'skipped';
    const { shown } = registration;
    const known: Record<string, string> = before;
    const parts = NOTIFIED_CHANGES.filter(
      (part) => changed.includes(part) && (part === 'details' || known[part] !== shown[part]),
    );
    if (parts.length === 0 && notes.length === 0) return 'skipped';
    const was = Object.fromEntries(Object.entries(before).filter(([part]) => parts.includes(part as Part)));
    const change = {
      changed: parts,
      now: this.mails.wordsFor(shown) as ShownState,
      was: this.mails.wordsFor(was),
      notes,
    };
    return this.mails.send(job, registration, {
      content: (mail) => eventChanged({ ...mail, ...change }),
      list: isMoved(parts) ? undefined : 'eventUpdates',
      entry: 'invitation',
    });
  }
}

type Part = NotifiedChange;

interface Change {
  changed: Part[];
  /** In words. */
  now: ShownState;
  was: Partial<ShownState>;
  /** What the organisers wrote. */
  notes: string[];
}

/** A new time or place concerns the member's own booking: such mails cannot be turned off. */
const isMoved = (changed: Part[]) =>
  changed.includes('time') || changed.includes('location') || changed.includes('online');

const WORDS = {
  time: 'time',
  location: 'place',
  online: 'joining link',
  price: 'price',
  title: 'title',
} as const;

export const eventChanged = defineTemplate<EventVariables & Change>('event-changed', (mail) => {
  const { changed, now, was, notes } = mail;
  const named = changed.filter((part) => part !== 'details').map((part) => WORDS[part]);
  const parts = new Intl.ListFormat(mail.locale).format(named);
  const row = (label: string, part: keyof ShownState): [string, string | null, string | undefined] => [
    label,
    changed.includes(part) ? plain(now[part]) : null,
    was[part] === undefined ? undefined : plain(was[part]),
  ];
  const what =
    named.length > 0
      ? `An event that you are registered for has a new ${parts}. This is how it stands now:`
      : changed.length > 0
        ? 'The organisers have changed the description or other details of an event that you are registered for:'
        : 'The organisers have written to you about an event that you are registered for:';
  const [title, time, place] = [row('Event', 'title'), row('When', 'time'), row('Where', 'location')];
  return {
    subject: changed.length > 0 ? `Changed: ${mail.title}` : `About: ${mail.title}`,
    preview: named.length > 0 ? `New ${parts}. ${mail.when}` : mail.when,
    blocks: [
      paragraph(`Hello ${mail.firstName},`),
      paragraph(what),
      facts(
        [title[0], mail.title, title[2]],
        [time[0], mail.when, time[2]],
        [place[0], place[1] ?? mail.location, place[2]],
        row('Price', 'price'),
      ),
      ...notes.map((note) => paragraph(`The organisers write: ${plain(note)}`)),
      button('View event', mail.eventUrl),
      paragraph('You keep your place. The attached entry brings your calendar up to date.'),
    ],
    reason: isMoved(changed)
      ? `You get this mail because you are registered for this event of ${mail.communityName}. Mails about your own booking are always sent.`
      : `You get this mail because you are registered for this event of ${mail.communityName}.`,
  };
});
