import { type PayloadOf, RegistrationConfirmedMail, REGISTERED } from '@meetmark/contracts';
import { button, defineTemplate, paragraph } from '../mail/content.js';
import { HandlesJob, type JobContext, type JobHandler, type MailOutcome } from '../queue/job-handler.js';
import { eventFacts, EventMails, type EventVariables } from './event-mails.js';

@HandlesJob(RegistrationConfirmedMail)
export class RegistrationConfirmedMailJob implements JobHandler<PayloadOf<typeof RegistrationConfirmedMail>> {
  constructor(private readonly mails: EventMails) {}

  /** Sends nothing for a place that was given up meanwhile; one that was taken again has its own mail. */
  async handle(
    { registrationId, registeredAt }: PayloadOf<typeof RegistrationConfirmedMail>,
    job: JobContext,
  ): Promise<MailOutcome> {
    const registration = await this.mails.registration(registrationId, registeredAt);
    if (registration?.status !== REGISTERED) return 'skipped';
    return this.mails.send(job, registration, { content: registrationConfirmed, entry: 'invitation' });
  }
}

export const registrationConfirmed = defineTemplate<EventVariables>('registration-confirmed', (mail) => ({
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
