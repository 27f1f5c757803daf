import { EventCancelledMail, type PayloadOf } from '@meetmark/contracts';
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
import { eventFacts, type EventFacts, EventMails } from './event-mails.js';

type Payload = PayloadOf<typeof EventCancelledMail>;

@HandlesJob(EventCancelledMail, { priority: LATER })
export class EventCancelledMailJob implements JobHandler<Payload> {
  constructor(
    private readonly recipients: Recipients,
    private readonly events: EventMails,
    private readonly mailer: Mailer,
  ) {}

  /** Sends nothing when the event was deleted after its end. */
  async handle({ event, userId }: Payload, { id, createdAt }: JobContext): Promise<MailOutcome> {
    const endDate = new Date(event.endDate);
    if (endDate <= createdAt) return 'skipped';
    const recipient = await this.recipients.find(userId);
    if (recipient === null) return 'skipped';
    const { isAllDay = false } = event;
    const cancelled = { ...event, startDate: new Date(event.startDate), endDate, isAllDay };
    return this.mailer.send({
      id,
      template: 'event-cancelled',
      recipient,
      content: eventCancelled(this.events.variables(cancelled, recipient)),
      calendar: this.events.withdrawal(cancelled, recipient, createdAt),
    });
  }
}

interface Variables extends EventFacts {
  communityName: string;
  firstName: string;
  homeUrl: string;
}

export const eventCancelled = defineTemplate<Variables>('event-cancelled', (mail) => ({
  subject: `Cancelled: ${mail.title}`,
  preview: `It will not take place. ${mail.when}`,
  blocks: [
    paragraph(`Hello ${mail.firstName},`),
    paragraph('An event that you were registered for has been cancelled. We are sorry.'),
    eventFacts(mail),
    paragraph('The attached entry takes it out of your calendar. There is nothing that you need to do.'),
    button('See other events', mail.homeUrl),
  ],
  reason: `You get this mail because you were registered for this event of ${mail.communityName}. Mails about your own booking are always sent.`,
}));
