import { until } from '../embedded/wait.js';
import type { Message, MessageSummary } from './message-store.js';

/** Maximum milliseconds to wait for an email. */
const PATIENCE = 20_000;

/** Returns the emails of a mailbox to an address, newest first. */
async function readMails(mailboxUrl: string, address: string, subject: RegExp): Promise<Message[]> {
  const read = async <T>(path: string): Promise<T> =>
    (await (await fetch(`${mailboxUrl}/api/messages${path}`)).json()) as T;
  const all = await read<MessageSummary[]>('');
  const sought = all.filter((mail) => mail.to.includes(address) && subject.test(mail.subject));
  return Promise.all(sought.map(({ id }) => read<Message>(`/${id}`)));
}

/** @throws Error if no such email arrives within 20 seconds */
export async function waitForMail(mailboxUrl: string, address: string, subject: RegExp): Promise<Message> {
  let mails: Message[] = [];
  await until(`an email like ${subject} to ${address}`, PATIENCE, async () => {
    mails = await readMails(mailboxUrl, address, subject);
    return mails.length > 0;
  });
  return mails[0]!;
}

/** @throws Error if the email contains no code of six digits */
export function extractCode({ text }: Pick<Message, 'text'>): string {
  const [code] = /\b\d{6}\b/.exec(text) ?? [];
  if (code === undefined) throw new Error(`no code in ${text}`);
  return code;
}
