import { extractCode, waitForMail } from '@meetmark/testing/mailbox/mailbox-client';
import type { Message } from '@meetmark/testing/mailbox/message-store';
import { sharedStack } from './shared-stack.js';

export { extractCode as codeIn } from '@meetmark/testing/mailbox/mailbox-client';
export type Mail = Message;

export const shownHtml = ({ html, attachments }: Mail): string =>
  attachments.reduce(
    (shown, { cid, contentType, content }) =>
      cid === undefined ? shown : shown.replaceAll(`cid:${cid}`, `data:${contentType};base64,${content}`),
    html,
  );

export const mailTo = (address: string, subject: RegExp): Promise<Mail> =>
  waitForMail(sharedStack().mailboxUrl, address, subject);

export const readResetCode = async (address: string): Promise<string> =>
  extractCode(await mailTo(address, /reset code/i));
