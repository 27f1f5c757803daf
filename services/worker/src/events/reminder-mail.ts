import { type PayloadOf, ReminderMail, REGISTERED } from '@meetmark/contracts';
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
import { eventFacts, type EventFacts, EventMails, RegisteredEvents } from './event-mails.js';

type Payload = PayloadOf<typeof ReminderMail>;

@HandlesJob(ReminderMail, { priority: LATER })
export class ReminderMailJob implements JobHandler<Payload> {
  constructor(
    private readonly registrations: RegisteredEvents,
    private readonly recipients: Recipients,
    private readonly events: EventMails,
    private readonly mailer: Mailer,
  ) {}

  /** Sends nothing once the event has begun, or when it was moved: the new time has its own reminder. */
  async handle({ registrationId, startDate }: Payload, { id }: JobContext): Promise<MailOutcome> {
    const registration = await this.registrations.findRegistration(registrationId);
    if (registration?.status !== REGISTERED) return 'skipped';
    const { event, userId } = registration;
    if (event.startDate.getTime() !== Date.parse(startDate) || event.startDate <= new Date())
      return 'skipped';
    const recipient = await this.recipients.find(userId);
    if (recipient === null) return 'skipped';
    const content = reminder(this.events.variables(event, recipient));
    return this.mailer.send({ id, template: 'reminder', recipient, list: 'reminders', content });
  }
}

interface Variables extends EventFacts {
  communityName: string;
  firstName: string;
  eventUrl: string;
}

export const reminder = defineTemplate<Variables>('reminder', (mail) => ({
  subject: `Coming up: ${mail.title}`,
  preview: mail.when,
  blocks: [
    paragraph(`Hello ${mail.firstName},`),
    paragraph('An event that you are registered for begins soon. We look forward to seeing you.'),
    eventFacts(mail),
    button('View event', mail.eventUrl),
    paragraph('Cannot come after all? Please unregister before it begins.'),
  ],
  reason: `You get this mail because you are registered for this event of ${mail.communityName}.`,
}));
