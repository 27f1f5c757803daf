import { type PayloadOf, PromotedMail, REGISTERED } from '@meetmark/contracts';
import { button, defineTemplate, paragraph } from '../mail/content.js';
import { HandlesJob, type JobContext, type JobHandler, type MailOutcome } from '../queue/job-handler.js';
import { eventFacts, EventMails, type EventVariables } from './event-mails.js';

@HandlesJob(PromotedMail)
export class PromotedMailJob implements JobHandler<PayloadOf<typeof PromotedMail>> {
  constructor(private readonly mails: EventMails) {}

  /** Sends nothing for a place that was given up meanwhile, nor about an event that has ended. */
  async handle(
    { registrationId, registeredAt }: PayloadOf<typeof PromotedMail>,
    job: JobContext,
  ): Promise<MailOutcome> {
    const registration = await this.mails.registration(registrationId, registeredAt);
    if (registration?.status !== REGISTERED || registration.event.endDate <= new Date()) return 'skipped';
    return this.mails.send(job, registration, { content: promoted, entry: 'invitation' });
  }
}

/** The link only shows a page: a mail program that follows it gives nothing up. */
export const promoted = defineTemplate<EventVariables>('promoted', (mail) => ({
  subject: `You have a place: ${mail.title}`,
  preview: `A place became free. ${mail.when}`,
  blocks: [
    paragraph(`Hello ${mail.firstName},`),
    paragraph(
      'You were on the waiting list, and a place became free: it is yours. The attached entry puts the event into your calendar.',
    ),
    eventFacts(mail),
    button('View event', mail.eventUrl),
    paragraph('Cannot come after all? Please give up your place, so that the next one who waits gets it.'),
    button('Give up my place', mail.giveUpUrl),
  ],
  reason: `You get this mail because you joined the waiting list of an event of ${mail.communityName}. Mails about your own booking are always sent.`,
}));
