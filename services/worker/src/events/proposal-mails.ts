import { type PayloadOf, ProposalDecidedMail } from '@meetmark/contracts';
import { buttons, paragraph, quote } from '@meetmark/platform/mail/blocks';
import { defineTemplate } from '@meetmark/platform/mail/content';
import { Links } from '@meetmark/platform/mail/links';
import { DataSource } from 'typeorm';
import { AccountMails, type AccountVariables } from '../auth/account-mails.js';
import { HandlesJob, type JobContext, type JobHandler, type MailOutcome } from '../queue/job-handler.js';

interface Decision {
  proposed: string;
  /** Of a proposal that was declined. */
  words: string | null;
  /** Of one that was accepted. */
  eventUrl: string | null;
}

@HandlesJob(ProposalDecidedMail)
export class ProposalDecidedMailJob implements JobHandler<PayloadOf<typeof ProposalDecidedMail>> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly mails: AccountMails,
    private readonly links: Links,
  ) {}

  /** Sends nothing about a draft that is deleted by then. */
  async handle(
    { userId, proposalId }: PayloadOf<typeof ProposalDecidedMail>,
    job: JobContext,
  ): Promise<MailOutcome> {
    const [found] = await this.dataSource.query<
      { title: string; words: string | null; eventId: string | null }[]
    >('SELECT title, words, event_id AS "eventId" FROM events.proposals WHERE id = $1', [proposalId]);
    if (found === undefined || (found.words === null && found.eventId === null)) return 'skipped';
    const { title: proposed, words, eventId } = found;
    const eventUrl = eventId === null ? null : this.links.event(eventId);
    return this.mails.send(job, userId, (mail) => proposalDecided({ ...mail, proposed, words, eventUrl }));
  }
}

export const proposalDecided = defineTemplate<AccountVariables & Decision>('proposal-decided', (mail) => ({
  subject: mail.words === null ? `Accepted: ${mail.proposed}` : `Declined: ${mail.proposed}`,
  preview:
    mail.words === null
      ? 'The organisers have made a draft of your proposal.'
      : 'The organisers have answered.',
  title: mail.words === null ? 'Your proposal is accepted' : 'Your proposal is declined',
  firstName: mail.firstName,
  blocks: [
    ...(mail.words === null
      ? [
          paragraph(
            `The organisers have made a draft of your proposal “${mail.proposed}”. You are its co-host: you can change it and see who comes.`,
          ),
        ]
      : [
          paragraph(`The organisers have declined your proposal “${mail.proposed}”.`),
          quote('The organisers write', mail.words),
        ]),
    buttons(
      mail.eventUrl === null
        ? { label: 'Browse events', url: mail.homeUrl }
        : { label: 'Open the draft', url: mail.eventUrl },
    ),
  ],
  reason: `You get this mail because you proposed an event to ${mail.communityName}.`,
}));
