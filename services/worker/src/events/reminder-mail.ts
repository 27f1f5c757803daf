import { type PayloadOf, ReminderMail, REGISTERED } from '@meetmark/contracts';
import { button, defineTemplate, paragraph } from '../mail/content.js';
import {
  HandlesJob,
  type JobContext,
  type JobHandler,
  LATER,
  type MailOutcome,
} from '../queue/job-handler.js';
import { eventFacts, EventMails, type EventVariables } from './event-mails.js';

@HandlesJob(ReminderMail, { priority: LATER })
export class ReminderMailJob implements JobHandler<PayloadOf<typeof ReminderMail>> {
  constructor(private readonly mails: EventMails) {}

  /** Sends nothing once the event has begun, or when it was moved: the new time has its own reminder. */
  async handle(
    { registrationId, startDate }: PayloadOf<typeof ReminderMail>,
    job: JobContext,
  ): Promise<MailOutcome> {
    const registration = await this.mails.registration(registrationId);
    if (registration?.status !== REGISTERED) return 'skipped';
    const start = registration.event.startDate;
    if (start.getTime() !== Date.parse(startDate) || start <= new Date()) return 'skipped';
    return this.mails.send(job, registration, { content: reminder, list: 'reminders' });
  }
}

export const reminder = defineTemplate<EventVariables>('reminder', (mail) => ({
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
