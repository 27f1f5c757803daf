import { EventChangedMail, type PayloadOf, REGISTERED } from '@meetmark/contracts';
import { button, defineTemplate, paragraph } from '../mail/content.js';
import { Mailer } from '../mail/mailer.js';
import { Recipients } from '../mail/recipients.js';
import {
  HandlesJob,
  type JobContext,
  type JobHandler,
  LATER,
  type MailOutcome,
} from '../queue/job-handler.js';
import { eventFacts, type EventFacts, EventMails, RegisteredEvents } from './event-mails.js';

type Payload = PayloadOf<typeof EventChangedMail>;

@HandlesJob(EventChangedMail, { priority: LATER })
export class EventChangedMailJob implements JobHandler<Payload> {
  constructor(
    private readonly registrations: RegisteredEvents,
    private readonly recipients: Recipients,
    private readonly events: EventMails,
    private readonly mailer: Mailer,
  ) {}

  /** Describes the event as it is now. Sends nothing about an event that is over: corrections of the past are not news. */
  async handle({ eventId, userId, changed }: Payload, { id, createdAt }: JobContext): Promise<MailOutcome> {
    const registration = await this.registrations.findPlace(eventId, userId);
    if (registration?.status !== REGISTERED || registration.event.endDate <= new Date()) return 'skipped';
    const recipient = await this.recipients.find(userId);
    if (recipient === null) return 'skipped';
    const { event } = registration;
    return this.mailer.send({
      id,
      template: 'event-changed',
      recipient,
      list: isMoved(changed) ? undefined : 'eventUpdates',
      content: eventChanged({ ...this.events.variables(event, recipient), changed }),
      calendar: this.events.invitation(event, recipient, createdAt),
    });
  }
}

interface Variables extends EventFacts {
  communityName: string;
  firstName: string;
  changed: ('title' | 'time' | 'location')[];
  locale: string;
  eventUrl: string;
}

/** A new time or place concerns the member's own booking: such mails cannot be turned off. */
export const isMoved = (changed: Variables['changed']) =>
  changed.includes('time') || changed.includes('location');

const WORDS = { title: 'title', time: 'time', location: 'place' } as const;

export const eventChanged = defineTemplate<Variables>('event-changed', (mail) => {
  const order = (['time', 'location', 'title'] as const).filter((part) => mail.changed.includes(part));
  const parts = new Intl.ListFormat(mail.locale).format(order.map((part) => WORDS[part]));
  return {
    subject: `Changed: ${mail.title}`,
    preview: `New ${parts}. ${mail.when}`,
    blocks: [
      paragraph(`Hello ${mail.firstName},`),
      paragraph(`An event that you are registered for has a new ${parts}. This is how it stands now:`),
      eventFacts(mail),
      button('View event', mail.eventUrl),
      paragraph('You keep your place. The attached entry brings your calendar up to date.'),
    ],
    reason: isMoved(mail.changed)
      ? `You get this mail because you are registered for this event of ${mail.communityName}. Mails about your own booking are always sent.`
      : `You get this mail because you are registered for this event of ${mail.communityName}.`,
  };
});
