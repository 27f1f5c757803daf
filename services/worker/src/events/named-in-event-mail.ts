import { NamedInEventMail, type EventRoleName, type PayloadOf } from '@meetmark/contracts';
import { DataSource } from 'typeorm';
import { button, defineTemplate, paragraph } from '../mail/content.js';
import {
  HandlesJob,
  type JobContext,
  type JobHandler,
  LATER,
  type MailOutcome,
} from '../queue/job-handler.js';
import { eventFacts, EventMails, type EventVariables } from './event-mails.js';

@HandlesJob(NamedInEventMail, { priority: LATER })
export class NamedInEventMailJob implements JobHandler<PayloadOf<typeof NamedInEventMail>> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly mails: EventMails,
  ) {}

  /** Sends nothing to somebody who is not named any more or has answered, nor about an event that is over or cancelled. */
  async handle(
    { eventId, userId, role }: PayloadOf<typeof NamedInEventMail>,
    job: JobContext,
  ): Promise<MailOutcome> {
    const [named] = await this.dataSource.query<object[]>(
      `SELECT FROM events.event_people
       WHERE event_id = $1 AND user_id = $2 AND role = $3 AND agreed_at IS NULL`,
      [eventId, userId, role],
    );
    const event = named && (await this.mails.event(eventId));
    if (!event || event.endDate <= new Date()) return 'skipped';
    return this.mails.send(job, { userId, event }, { content: (mail) => namedInEvent({ ...mail, role }) });
  }
}

export const namedInEvent = defineTemplate<EventVariables & { role: EventRoleName }>(
  'named-in-event',
  (mail) => ({
    subject: `You are named as a ${mail.role}: ${mail.title}`,
    preview: 'Say whether your name and picture may be shown on the page of the event.',
    blocks: [
      paragraph(`Hello ${mail.firstName},`),
      paragraph(
        `The organisers have named you as a ${mail.role} of this event. Your name and picture are shown on its page once you agree.`,
      ),
      eventFacts(mail),
      button('View event', mail.eventUrl),
    ],
    reason: `You get this mail because you were named in an event of ${mail.communityName}.`,
  }),
);
