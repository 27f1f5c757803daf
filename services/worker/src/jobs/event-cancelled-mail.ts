import { EventCancelledMail, type PayloadOf } from '@meetmark/contracts';
import { EventMails } from '../mail/event-mails.js';
import { Mailer } from '../mail/mailer.js';
import { Recipients } from '../mail/recipients.js';
import { eventCancelled } from '../mail/templates/event-cancelled.js';
import { HandlesJob, type JobContext, type JobHandler, type MailOutcome } from './job-handler.js';
import { LATER } from './priorities.js';

type Payload = PayloadOf<typeof EventCancelledMail>;

@HandlesJob(EventCancelledMail, { priority: LATER })
export class EventCancelledMailJob implements JobHandler<Payload> {
  constructor(
    private readonly recipients: Recipients,
    private readonly events: EventMails,
    private readonly mailer: Mailer,
  ) {}

  /** Nothing is sent when an event was deleted after it had ended. */
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
