import { cutText } from '@meetmark/contracts/cut-text';
import { eventList, type ListedEvent, markdown, paragraph } from './blocks.js';
import { defineTemplate, type MailContent } from './content.js';
import { frameWords } from './words.js';

interface MessageVariables extends ListedEvent {
  locale: string;
  communityName: string;
  subject: string;
  firstName: string | null;
  coverUrl: string;
  author: string | null;
  toAuthor: boolean;
}

const PREVIEW = 140;

export function messageMail(variables: MessageVariables, body: string): MailContent {
  const written = markdown(body);
  const content = frame({ ...variables, preview: cutText(written.text, PREVIEW) });
  // The body isn't passed through defineTemplate, which would remove line breaks.
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
