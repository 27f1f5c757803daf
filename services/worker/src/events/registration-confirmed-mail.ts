import { type PayloadOf, RegistrationConfirmedMail, REGISTERED } from '@meetmark/contracts';
import { button, defineTemplate, paragraph } from '../mail/content.js';
import { Mailer } from '../mail/mailer.js';
import { Recipients } from '../mail/recipients.js';
import { HandlesJob, type JobContext, type JobHandler, type MailOutcome } from '../queue/job-handler.js';
import { eventFacts, type EventFacts, EventMails, RegisteredEvents } from './event-mails.js';

type Payload = PayloadOf<typeof RegistrationConfirmedMail>;

@HandlesJob(RegistrationConfirmedMail)
export class RegistrationConfirmedMailJob implements JobHandler<Payload> {
  constructor(
    private readonly registrations: RegisteredEvents,
    private readonly recipients: Recipients,
    private readonly events: EventMails,
    private readonly mailer: Mailer,
  ) {}

  /** Sends nothing for a place that was given up meanwhile; one that was taken again has its own mail. */
  async handle(
    { registrationId, registeredAt }: Payload,
    { id, createdAt }: JobContext,
  ): Promise<MailOutcome> {
    const registration = await this.registrations.findRegistration(registrationId);
    if (registration?.status !== REGISTERED) return 'skipped';
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

interface Variables extends EventFacts {
  communityName: string;
  firstName: string;
  eventUrl: string;
}

export const registrationConfirmed = defineTemplate<Variables>('registration-confirmed', (mail) => ({
  subject: `You are registered: ${mail.title}`,
  preview: mail.when,
  blocks: [
    paragraph(`Hello ${mail.firstName},`),
    paragraph('Your place is booked. The attached entry puts it into your calendar.'),
    eventFacts(mail),
    button('View event', mail.eventUrl),
    paragraph('Cannot come after all? Please unregister, so that somebody else gets the place.'),
  ],
  reason: `You get this mail because you registered for an event of ${mail.communityName}. Mails about your own booking are always sent.`,
}));
