import { UnregisteredMail, type PayloadOf } from '@meetmark/contracts';
import { EventMails } from '../mail/event-mails.js';
import { Mailer } from '../mail/mailer.js';
import { Recipients } from '../mail/recipients.js';
import { RegisteredEvents } from '../mail/registered-events.js';
import { unregistered } from '../mail/templates/unregistered.js';
import { HandlesJob, type JobContext, type JobHandler, type MailOutcome } from './job-handler.js';
import { LATER } from './priorities.js';

type Payload = PayloadOf<typeof UnregisteredMail>;

@HandlesJob(UnregisteredMail, { priority: LATER })
export class UnregisteredMailJob implements JobHandler<Payload> {
  constructor(
    private readonly registrations: RegisteredEvents,
    private readonly recipients: Recipients,
    private readonly events: EventMails,
    private readonly mailer: Mailer,
  ) {}

  /** Nothing is sent when the place was taken again meanwhile, or the event is over: the entry may stay then. */
  async handle(
    { registrationId, registeredAt }: Payload,
    { id, createdAt }: JobContext,
  ): Promise<MailOutcome> {
    const registration = await this.registrations.findRegistration(registrationId);
    if (registration?.status !== 'cancelled') return 'skipped';
    if (registration.registeredAt.getTime() !== Date.parse(registeredAt)) return 'skipped';
    const { event, userId } = registration;
    if (event.endDate <= new Date()) return 'skipped';
    const recipient = await this.recipients.find(userId);
    if (recipient === null) return 'skipped';
    return this.mailer.send({
      id,
      template: 'unregistered',
      recipient,
      list: 'reminders',
      content: unregistered(this.events.variables(event, recipient)),
      calendar: this.events.withdrawal(event, recipient, createdAt),
    });
  }
}
