import { setTimeout as pause } from 'node:timers/promises';
import { Visitor } from './visitor.js';

export interface Member {
  email: string;
  password: string;
}

const MAIL_WITHIN_MS = 60_000;
const POLL_MS = 250;

interface FoundMails {
  messages: { ID: string; Subject: string }[];
}

/** Sign up, register, wait for the mail, reset the password by the mailed code, sign in with it. */
export async function memberStory(gateway: string, mailPage: string, eventId: string): Promise<Member> {
  const email = `nora.${process.pid}@example.org`;
  const visitor = new Visitor(gateway);
  const person = { firstName: 'Nora', lastName: 'Newcomer', email, password: 'correct horse' };
  await visitor.expect(201, 'POST', '/api/register', person);
  await visitor.expect(201, 'POST', `/api/events/${eventId}/register`);
  await mailTo(mailPage, email, /regist|are in|see you/i);

  const stranger = new Visitor(gateway);
  await stranger.expect(202, 'POST', '/api/forgot-password', { email });
  const mail = await mailTo(mailPage, email, /reset code/i);
  const token = /\b\d{6}\b/.exec(mail)?.[0];
  if (token === undefined) throw new Error(`no code in the mail:\n${mail}`);
  const newPassword = 'battery staple';
  await stranger.expect(200, 'POST', '/api/reset-password', { email, token, newPassword });
  await stranger.expect(401, 'POST', '/api/login', { email, password: person.password });
  await stranger.expect(200, 'POST', '/api/login', { email, password: newPassword });
  // The reset ended the session that was there before.
  await visitor.expect(401, 'GET', '/api/user');
  return { email, password: newPassword };
}

/** Text of the first mail to the address whose subject fits. */
async function mailTo(mailPage: string, email: string, subject: RegExp): Promise<string> {
  const end = Date.now() + MAIL_WITHIN_MS;
  let subjects: string[] = [];
  while (Date.now() < end) {
    const query = encodeURIComponent(`to:"${email}"`);
    const { messages } = (await (
      await fetch(`${mailPage}/api/v1/search?query=${query}`)
    ).json()) as FoundMails;
    subjects = messages.map(({ Subject }) => Subject);
    const found = messages.find(({ Subject }) => subject.test(Subject));
    if (found) {
      const message = await fetch(`${mailPage}/api/v1/message/${found.ID}`);
      return ((await message.json()) as { Text: string }).Text;
    }
    await pause(POLL_MS);
  }
  throw new Error(`no mail like ${subject}, only: ${subjects.join(', ')}`);
}
