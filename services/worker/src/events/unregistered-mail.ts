import { type PayloadOf, UnregisteredMail } from '@meetmark/contracts';
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

type Payload = PayloadOf<typeof UnregisteredMail>;

@HandlesJob(UnregisteredMail, { priority: LATER })
export class UnregisteredMailJob implements JobHandler<Payload> {
  constructor(
    private readonly registrations: RegisteredEvents,
    private readonly recipients: Recipients,
    private readonly events: EventMails,
    private readonly mailer: Mailer,
  ) {}

  /** Sends nothing when the place was taken again meanwhile, or the event is over: the calendar entry may stay then. */
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

interface Variables extends EventFacts {
  communityName: string;
  firstName: string;
  eventUrl: string;
}

export const unregistered = defineTemplate<Variables>('unregistered', (mail) => ({
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
