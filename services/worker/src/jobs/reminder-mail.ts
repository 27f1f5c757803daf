import { ReminderMail, type PayloadOf } from '@meetmark/contracts';
import { EventMails } from '../mail/event-mails.js';
import { Mailer } from '../mail/mailer.js';
import { Recipients } from '../mail/recipients.js';
import { RegisteredEvents } from '../mail/registered-events.js';
import { reminder } from '../mail/templates/reminder.js';
import { HandlesJob, type JobContext, type JobHandler, type MailOutcome } from './job-handler.js';
import { LATER } from './priorities.js';

type Payload = PayloadOf<typeof ReminderMail>;

@HandlesJob(ReminderMail, { priority: LATER })
export class ReminderMailJob implements JobHandler<Payload> {
  constructor(
    private readonly registrations: RegisteredEvents,
    private readonly recipients: Recipients,
    private readonly events: EventMails,
    private readonly mailer: Mailer,
  ) {}

  /** Nothing is sent once the event has begun, or when it was moved: the new time has its own reminder. */
  async handle({ registrationId, startDate }: Payload, { id }: JobContext): Promise<MailOutcome> {
    const registration = await this.registrations.findRegistration(registrationId);
    if (registration?.status !== 'registered') return 'skipped';
    const { event, userId } = registration;
    if (event.startDate.getTime() !== Date.parse(startDate) || event.startDate <= new Date())
      return 'skipped';
    const recipient = await this.recipients.find(userId);
    if (recipient === null) return 'skipped';
    const content = reminder(this.events.variables(event, recipient));
    return this.mailer.send({ id, template: 'reminder', recipient, list: 'reminders', content });
  }
}
