import { EventCancelledMail, type PayloadOf } from '@meetmark/contracts';
import { button, defineTemplate, facts, paragraph } from '../mail/content.js';
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

  /** Sends nothing when the event was deleted after its end. Who only waited has no entry to take out. */
  async handle(
    { event, userId, waiting: waits }: PayloadOf<typeof EventCancelledMail>,
    job: JobContext,
  ): Promise<MailOutcome> {
    const [startDate, endDate] = [new Date(event.startDate), new Date(event.endDate)];
    if (endDate <= job.createdAt) return 'skipped';
    const waiting = waits ?? false;
    const { isAllDay = false, page: stays, reason = null, ...rest } = event;
    const page = stays ?? false;
    const cancelled = { ...rest, startDate, endDate, isAllDay };
    return this.mails.send(
      job,
      { userId, event: cancelled },
      {
        content: (mail) => eventCancelled({ ...mail, waiting, page, reason }),
        entry: waiting ? undefined : 'withdrawal',
      },
    );
  }
}

interface Cancellation {
  waiting: boolean;
  /** The event still has its page. */
  page: boolean;
  /** What the organiser wrote. */
  reason: string | null;
}

export const eventCancelled = defineTemplate<EventVariables & Cancellation>('event-cancelled', (mail) => ({
  subject: `Cancelled: ${mail.title}`,
  preview: `It will not take place. ${mail.when}`,
  blocks: [
    paragraph(`Hello ${mail.firstName},`),
    paragraph(
      mail.waiting
        ? 'An event that you were on the waiting list for has been cancelled. We are sorry.'
        : 'An event that you were registered for has been cancelled. We are sorry.',
    ),
    eventFacts(mail),
    ...(mail.reason === null ? [] : [facts(['Why', mail.reason])]),
    paragraph(
      mail.waiting
        ? 'There is nothing that you need to do.'
        : 'The attached entry takes it out of your calendar. There is nothing that you need to do.',
    ),
    mail.page ? button('View event', mail.eventUrl) : button('See other events', mail.homeUrl),
  ],
  reason: `You get this mail because you were ${mail.waiting ? 'on the waiting list' : 'registered'} for this event of ${mail.communityName}. Mails about your own booking are always sent.`,
}));
