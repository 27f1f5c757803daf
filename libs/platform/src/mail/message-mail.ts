import { eventList, type ListedEvent, markdown, paragraph } from './blocks.js';
import { defineTemplate, type MailContent } from './content.js';
import { frameWords } from './words.js';

interface MessageVariables extends ListedEvent {
  /** The reader's language. */
  locale: string;
  communityName: string;
  subject: string;
  /** The recipient's first name; null where only an address is known. */
  firstName: string | null;
  /** The address of the event's cover. */
  coverUrl: string;
  /** The name of who wrote it; null once their account is gone. */
  author: string | null;
  /** Answers go to the author, else to the community. */
  toAuthor: boolean;
}

const PREVIEW = 140;

/** What an organiser wrote, in Markdown, to the people of an event: the same for its preview, its test and its recipients. */
export function messageMail(variables: MessageVariables, body: string): MailContent {
  const written = markdown(body);
  const content = frame({ ...variables, preview: written.text.slice(0, PREVIEW) });
  // what was typed keeps its lines, which a template's own words do not have
  return { ...content, blocks: [written, ...content.blocks] };
}

const frame = defineTemplate<MessageVariables & { preview: string }>('event-message', (mail) => {
  const words = frameWords(mail.locale).message;
  return {
    subject: mail.subject,
    preview: mail.preview,
    status: {
      words: mail.author === null ? words.status : words.statusBy({ name: mail.author }),
      tone: 'news',
    },
    title: mail.subject,
    firstName: mail.firstName,
    coverUrl: mail.coverUrl,
    blocks: [
      eventList([mail]),
      paragraph(mail.author !== null && mail.toAuthor ? words.answerTo({ name: mail.author }) : words.answer),
    ],
    reason: words.reason({ title: mail.title, community: mail.communityName }),
  };
});
