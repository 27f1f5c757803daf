import { EventChangedMail, type PayloadOf, REGISTERED } from '@meetmark/contracts';
import { button, defineTemplate, paragraph } from '../mail/content.js';
import {
  HandlesJob,
  type JobContext,
  type JobHandler,
  LATER,
  type MailOutcome,
} from '../queue/job-handler.js';
import { eventFacts, EventMails, type EventVariables } from './event-mails.js';

@HandlesJob(EventChangedMail, { priority: LATER })
export class EventChangedMailJob implements JobHandler<PayloadOf<typeof EventChangedMail>> {
  constructor(private readonly mails: EventMails) {}

  /** Describes the event as it is now. Sends nothing about an event that is over: corrections of the past are not news. */
  async handle(
    { eventId, userId, changed }: PayloadOf<typeof EventChangedMail>,
    job: JobContext,
  ): Promise<MailOutcome> {
    const registration = await this.mails.place(eventId, userId);
    if (registration?.status !== REGISTERED || registration.event.endDate <= new Date()) return 'skipped';
    return this.mails.send(job, registration, {
      content: (mail) => eventChanged({ ...mail, changed }),
      list: isMoved(changed) ? undefined : 'eventUpdates',
      entry: 'invitation',
    });
  }
}

type Changed = PayloadOf<typeof EventChangedMail>['changed'];

/** A new time or place concerns the member's own booking: such mails cannot be turned off. */
const isMoved = (changed: Changed) => changed.includes('time') || changed.includes('location');

const WORDS = { title: 'title', time: 'time', location: 'place' } as const;

export const eventChanged = defineTemplate<EventVariables & { changed: Changed }>('event-changed', (mail) => {
  const order = (['time', 'location', 'title'] as const).filter((part) => mail.changed.includes(part));
  const parts = new Intl.ListFormat(mail.locale).format(order.map((part) => WORDS[part]));
  return {
    subject: `Changed: ${mail.title}`,
    preview: `New ${parts}. ${mail.when}`,
    blocks: [
      paragraph(`Hello ${mail.firstName},`),
      paragraph(`An event that you are registered for has a new ${parts}. This is how it stands now:`),
      eventFacts(mail),
      button('View event', mail.eventUrl),
      paragraph('You keep your place. The attached entry brings your calendar up to date.'),
    ],
    reason: isMoved(mail.changed)
      ? `You get this mail because you are registered for this event of ${mail.communityName}. Mails about your own booking are always sent.`
      : `You get this mail because you are registered for this event of ${mail.communityName}.`,
  };
});
