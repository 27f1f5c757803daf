import { RegistrationConfirmedMail, type PayloadOf } from '@meetmark/contracts';
import { EventMails } from '../mail/event-mails.js';
import { Mailer } from '../mail/mailer.js';
import { Recipients } from '../mail/recipients.js';
import { RegisteredEvents } from '../mail/registered-events.js';
import { registrationConfirmed } from '../mail/templates/registration-confirmed.js';
import { HandlesJob, type JobContext, type JobHandler, type MailOutcome } from './job-handler.js';

type Payload = PayloadOf<typeof RegistrationConfirmedMail>;

@HandlesJob(RegistrationConfirmedMail)
export class RegistrationConfirmedMailJob implements JobHandler<Payload> {
  constructor(
    private readonly registrations: RegisteredEvents,
    private readonly recipients: Recipients,
    private readonly events: EventMails,
    private readonly mailer: Mailer,
  ) {}

  /** Nothing is sent for a place that was given up meanwhile, or given up and taken again: that one has its own mail. */
  async handle(
    { registrationId, registeredAt }: Payload,
    { id, createdAt }: JobContext,
  ): Promise<MailOutcome> {
    const registration = await this.registrations.findRegistration(registrationId);
    if (registration?.status !== 'registered') return 'skipped';
    if (registration.registeredAt.getTime() !== Date.parse(registeredAt)) return 'skipped';
    const recipient = await this.recipients.find(registration.userId);
    if (recipient === null) return 'skipped';
    const { event } = registration;
    return this.mailer.send({
      id,
      template: 'registration-confirmed',
      recipient,
      content: registrationConfirmed(this.events.variables(event, recipient)),
      calendar: this.events.invitation(event, recipient, createdAt),
    });
  }
}
