import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { said } from './compose.js';

/** Where the browser stories find what they stand on; e2e/src/support/shared-stack.ts reads it. */
const STACK_VARIABLE = 'MEETMARK_E2E_STACK';
const STORY = 'e2e/src/member/newcomer.spec.ts';

export interface StoryPlace {
  url: string;
  /** Mailpit's page. */
  mailPage: string;
  administrator: { email: string; password: string };
}

/** Runs a story of the browser stories in Chromium, on the containers in place of the stack that they bring up themselves. */
export async function browserStory(
  root: string,
  { url, mailPage, administrator }: StoryPlace,
): Promise<void> {
  const mailbox = await mailboxOf(mailPage);
  try {
    const stack = { url, gatewayUrls: [url], mailboxUrl: mailbox.url, administrator };
    const jest = path.join(root, 'node_modules/jest/bin/jest.js');
    const args = ['--experimental-vm-modules', jest, '--selectProjects=e2e', '--runInBand', STORY];
    const environment = { [STACK_VARIABLE]: JSON.stringify(stack) };
    await said(process.execPath, args, { cwd: root, environment });
  } finally {
    mailbox.close();
  }
}

interface FoundMails {
  messages: { ID: string; To: { Address: string }[]; Subject: string }[];
}

/** Mailpit, answering as the mailbox of `npm start` does. */
async function mailboxOf(mailPage: string): Promise<{ url: string; close(): void }> {
  const read = async <T>(address: string) => (await (await fetch(mailPage + address)).json()) as T;
  const answer = async (id: string | undefined): Promise<unknown> => {
    if (id !== undefined) {
      type Found = { Text: string; HTML: string; Subject: string };
      const { Text, HTML, Subject } = await read<Found>(`/api/v1/message/${id}`);
      return { text: Text, html: HTML, subject: Subject };
    }
    const { messages } = await read<FoundMails>('/api/v1/messages');
    return messages.map(({ ID, To, Subject }) => ({
      id: ID,
      to: To.map(({ Address }) => Address).join(', '),
      subject: Subject,
    }));
  };
  const server = http.createServer((request, response) => {
    const id = /^\/api\/messages\/(.+)$/.exec(request.url ?? '')?.[1];
    answer(id).then(
      (body) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body)),
      (error: Error) => response.writeHead(502).end(error.message),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}
