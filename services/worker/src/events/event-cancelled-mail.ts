import { EventCancelledMail, type PayloadOf } from '@meetmark/contracts';
import { button, defineTemplate, paragraph } from '../mail/content.js';
import {
  HandlesJob,
  type JobContext,
  type JobHandler,
  LATER,
  type MailOutcome,
} from '../queue/job-handler.js';
import { eventFacts, EventMails, type EventVariables } from './event-mails.js';

@HandlesJob(EventCancelledMail, { priority: LATER })
export class EventCancelledMailJob implements JobHandler<PayloadOf<typeof EventCancelledMail>> {
  constructor(private readonly mails: EventMails) {}

  /** Sends nothing when the event was deleted after its end. */
  async handle(
    { event, userId }: PayloadOf<typeof EventCancelledMail>,
    job: JobContext,
  ): Promise<MailOutcome> {
    const [startDate, endDate] = [new Date(event.startDate), new Date(event.endDate)];
    if (endDate <= job.createdAt) return 'skipped';
    const { isAllDay = false } = event;
    const cancelled = { ...event, startDate, endDate, isAllDay };
    return this.mails.send(
      job,
      { userId, event: cancelled },
      { content: eventCancelled, entry: 'withdrawal' },
    );
  }
}

export const eventCancelled = defineTemplate<EventVariables>('event-cancelled', (mail) => ({
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
