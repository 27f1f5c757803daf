import escape from 'escape-html';
import type { Message, MessageSummary } from './message-store.js';

const STYLE = `
  body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1.5rem; color: #1f2937; }
  table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: .5rem; border-bottom: 1px solid #e5e7eb; }
  iframe { width: 100%; height: 32rem; border: 1px solid #e5e7eb; border-radius: .5rem; } a { color: #1d4ed8; }
  pre { white-space: pre-wrap; background: #f9fafb; padding: 1rem; border-radius: .5rem; }`;

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>${escape(title)}</title><style>${STYLE}</style></head><body>${body}</body></html>`;

export function inboxPage(messages: MessageSummary[]): string {
  const rows = messages
    .map(
      ({ id, to, subject, date }) =>
        `<tr><td>${escape(date)}</td><td>${escape(to)}</td><td><a href="/messages/${id}">${escape(subject)}</a></td></tr>`,
    )
    .join('');
  const table = `<table><tr><th>Received</th><th>To</th><th>Subject</th></tr>${rows}</table>`;
  const content = messages.length > 0 ? table : '<p>No mail has been sent yet.</p>';
  return page(
    `Mailbox (${messages.length})`,
    `<meta http-equiv="refresh" content="5"><h1>Mailbox</h1>${content}`,
  );
}

export function messagePage({ id, from, to, subject, text, attachments }: Message): string {
  const files = attachments
    .map(({ filename, contentType, content }) => {
      const address = `data:${escape(contentType)};base64,${content}`;
      return `<li><a download="${escape(filename)}" href="${address}">${escape(filename)}</a></li>`;
    })
    .join('');
  return page(
    subject,
    `<p><a href="/">&larr; Mailbox</a></p><h1>${escape(subject)}</h1><p>From ${escape(from)} to ${escape(to)}</p>` +
      `<iframe sandbox title="Message" src="/messages/${id}/html"></iframe><ul>${files}</ul><h2>Text</h2><pre>${escape(text)}</pre>`,
  );
}

/** Returns the email's HTML with attached images inserted, or its plain text. */
export const messageHtml = ({ html, text, attachments }: Message): string =>
  attachments.reduce(
    (shown, { cid, contentType, content }) =>
      cid === undefined
        ? shown
        : shown.replaceAll(`cid:${cid}`, `data:${escape(contentType)};base64,${content}`),
    html || `<pre>${escape(text)}</pre>`,
  );
