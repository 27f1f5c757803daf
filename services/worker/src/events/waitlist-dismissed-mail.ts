import { type PayloadOf, WaitlistDismissedMail } from '@meetmark/contracts';
import { button, defineTemplate, paragraph } from '../mail/content.js';
import {
  HandlesJob,
  type JobContext,
  type JobHandler,
  LATER,
  type MailOutcome,
} from '../queue/job-handler.js';
import { eventFacts, EventMails, type EventVariables } from './event-mails.js';

@HandlesJob(WaitlistDismissedMail, { priority: LATER })
export class WaitlistDismissedMailJob implements JobHandler<PayloadOf<typeof WaitlistDismissedMail>> {
  constructor(private readonly mails: EventMails) {}

  /** Sends nothing to somebody who waits again or has a place by now, nor about an event that has ended. */
  async handle(
    { eventId, userId }: PayloadOf<typeof WaitlistDismissedMail>,
    job: JobContext,
  ): Promise<MailOutcome> {
    const registration = await this.mails.place(eventId, userId);
    if (registration?.status !== 'cancelled' || registration.event.endDate <= new Date()) return 'skipped';
    return this.mails.send(job, registration, { content: waitlistDismissed });
  }
}

/** There was no place, so no calendar has an entry to take out. */
export const waitlistDismissed = defineTemplate<EventVariables>('waitlist-dismissed', (mail) => ({
  subject: `No longer on the waiting list: ${mail.title}`,
  preview: 'There will be no place for you this time. We are sorry.',
  blocks: [
    paragraph(`Hello ${mail.firstName},`),
    paragraph(
      'You are no longer on the waiting list of this event: there will be no place for you this time. We are sorry.',
    ),
    eventFacts(mail),
    button('See other events', mail.homeUrl),
  ],
  reason: `You get this mail because you joined the waiting list of an event of ${mail.communityName}. Mails about your own booking are always sent.`,
}));
