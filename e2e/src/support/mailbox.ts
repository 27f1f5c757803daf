import { setTimeout as pause } from 'node:timers/promises';
import { sharedStack } from './shared-stack.js';

export interface Mail {
  id: string;
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  headers: unknown;
  attachments: { contentType: string; content: string; cid?: string }[];
}

export const shownHtml = ({ html, attachments }: Mail): string =>
  attachments.reduce(
    (shown, { cid, contentType, content }) =>
      cid === undefined ? shown : shown.replaceAll(`cid:${cid}`, `data:${contentType};base64,${content}`),
    html,
  );

const PATIENCE = 20_000;
const PAUSE = 100;

export async function mailsTo(
  address: string,
  mailboxUrl = sharedStack().mailboxUrl,
  like = /^/,
): Promise<Mail[]> {
  const read = async <T>(path: string): Promise<T> =>
    (await (await fetch(`${mailboxUrl}/api/messages${path}`)).json()) as T;
  const all = await read<Pick<Mail, 'id' | 'to' | 'subject'>[]>('');
  const sought = all.filter(({ to, subject }) => to.includes(address) && like.test(subject));
  return Promise.all(sought.map(({ id }) => read<Mail>(`/${id}`)));
}

export async function mailTo(address: string, subject: RegExp, mailboxUrl?: string): Promise<Mail> {
  for (const end = Date.now() + PATIENCE; Date.now() < end; await pause(PAUSE)) {
    const [mail] = await mailsTo(address, mailboxUrl, subject);
    if (mail !== undefined) return mail;
  }
  throw new Error(`no mail like ${subject} to ${address}`);
}

export function codeIn({ text }: Pick<Mail, 'text'>): string {
  const [code] = /\b\d{6}\b/.exec(text) ?? [];
  if (code === undefined) throw new Error(`no code in ${text}`);
  return code;
}

export const readResetCode = async (address: string): Promise<string> =>
  codeIn(await mailTo(address, /reset code/i));
