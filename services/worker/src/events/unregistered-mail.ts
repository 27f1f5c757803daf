import { type PayloadOf, UnregisteredMail } from '@meetmark/contracts';
import { button, defineTemplate, paragraph } from '../mail/content.js';
import {
  HandlesJob,
  type JobContext,
  type JobHandler,
  LATER,
  type MailOutcome,
} from '../queue/job-handler.js';
import { eventFacts, EventMails, type EventVariables } from './event-mails.js';

@HandlesJob(UnregisteredMail, { priority: LATER })
export class UnregisteredMailJob implements JobHandler<PayloadOf<typeof UnregisteredMail>> {
  constructor(private readonly mails: EventMails) {}

  /** Sends nothing when the place was taken again meanwhile, or the event is over: the calendar entry may stay then. */
  async handle(
    { registrationId, registeredAt }: PayloadOf<typeof UnregisteredMail>,
    job: JobContext,
  ): Promise<MailOutcome> {
    const registration = await this.mails.registration(registrationId, registeredAt);
    if (registration?.status !== 'cancelled' || registration.event.endDate <= new Date()) return 'skipped';
    return this.mails.send(job, registration, {
      content: unregistered,
      list: 'reminders',
      entry: 'withdrawal',
    });
  }
}

export const unregistered = defineTemplate<EventVariables>('unregistered', (mail) => ({
  subject: `You are no longer registered: ${mail.title}`,
  preview: 'You gave up your place.',
  blocks: [
    paragraph(`Hello ${mail.firstName},`),
    paragraph('You gave up your place. The attached entry takes the event out of your calendar.'),
    eventFacts(mail),
    paragraph('Can you come after all? You can register again while there are places left.'),
    button('View event', mail.eventUrl),
  ],
  reason: `You get this mail because you unregistered from an event of ${mail.communityName}.`,
}));
