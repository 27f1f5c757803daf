import { type PayloadOf, ProposalDecidedMail } from '@meetmark/contracts';
import { buttons, paragraph, quote } from '@meetmark/platform/mail/blocks';
import { defineTemplate } from '@meetmark/platform/mail/content';
import { Links } from '@meetmark/platform/mail/links';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AccountMails, type AccountVariables } from '../auth/account-mails.js';
import { HandlesJob, type JobContext, type MailOutcome } from '../queue/job-handler.js';
import { mailWords } from '../mail/words.js';

interface Decision {
  proposed: string;
  words: string | null;
  /** Link to the draft, which the proposer may see as its co-host. Null if the proposal was declined. */
  eventUrl: string | null;
}

@Injectable()
export class ProposalDecidedMailJob {
  constructor(
    private readonly dataSource: DataSource,
    private readonly mails: AccountMails,
    private readonly links: Links,
  ) {}

  /** Skips an accepted proposal whose draft was deleted. */
  @HandlesJob(ProposalDecidedMail)
  async handle(
    { userId, proposalId }: PayloadOf<typeof ProposalDecidedMail>,
    job: JobContext,
  ): Promise<MailOutcome> {
    const [found] = await this.dataSource.query<
      { title: string; words: string | null; eventId: string | null }[]
    >('SELECT title, words, event_id AS "eventId" FROM events.proposals WHERE id = $1', [proposalId]);
    if (found === undefined || (found.words === null && found.eventId === null)) return 'skipped';
    const { title: proposed, words, eventId } = found;
    const eventUrl = eventId === null ? null : this.links.workspace(eventId);
    return this.mails.send(job, userId, (mail) => proposalDecided({ ...mail, proposed, words, eventUrl }));
  }
}

export const proposalDecided = defineTemplate<AccountVariables & Decision>('proposal-decided', (mail) => {
  const { proposal: words, account, organisersWrite } = mailWords(mail.locale);
  const title = mail.proposed;
  const isAccepted = mail.words === null;
  return {
    subject: isAccepted ? words.subjectAccepted({ title }) : words.subjectDeclined({ title }),
    preview: isAccepted ? words.previewAccepted : words.previewDeclined,
    title: isAccepted ? words.titleAccepted : words.titleDeclined,
    firstName: mail.firstName,
    blocks: [
      ...(mail.words === null
        ? [paragraph(words.accepted({ title }))]
        : [paragraph(words.declined({ title })), quote(organisersWrite, mail.words)]),
      buttons(
        mail.eventUrl === null
          ? { label: account.browse, url: mail.homeUrl }
          : { label: words.openDraft, url: mail.eventUrl },
      ),
    ],
    reason: words.reason({ community: mail.communityName }),
  };
});
