import { EventChangedMail, type PayloadOf } from '@meetmark/contracts';
import { EventMails } from '../mail/event-mails.js';
import { Mailer } from '../mail/mailer.js';
import { Recipients } from '../mail/recipients.js';
import { RegisteredEvents } from '../mail/registered-events.js';
import { eventChanged, isMoved } from '../mail/templates/event-changed.js';
import { HandlesJob, type JobContext, type JobHandler, type MailOutcome } from './job-handler.js';
import { LATER } from './priorities.js';

type Payload = PayloadOf<typeof EventChangedMail>;

@HandlesJob(EventChangedMail, { priority: LATER })
export class EventChangedMailJob implements JobHandler<Payload> {
  constructor(
    private readonly registrations: RegisteredEvents,
    private readonly recipients: Recipients,
    private readonly events: EventMails,
    private readonly mailer: Mailer,
  ) {}

  /** Says how the event stands now. Nothing is sent about an event that is over: corrections of the history are no news. */
  async handle({ eventId, userId, changed }: Payload, { id, createdAt }: JobContext): Promise<MailOutcome> {
    const registration = await this.registrations.findPlace(eventId, userId);
    if (registration?.status !== 'registered' || registration.event.endDate <= new Date()) return 'skipped';
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
