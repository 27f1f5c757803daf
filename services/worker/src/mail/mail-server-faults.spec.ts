import { EmailChangedMail, WelcomeMail } from '@meetmark/contracts';
import { insertUser, type UserRow } from '@meetmark/testing/factories/users';
import { workersForTests } from '../testing/test-worker.js';
import { isRefusal } from './mailer.js';

describe('a mail server', () => {
  const workers = workersForTests();
  let ada: UserRow;

  beforeAll(async () => {
    await workers.start();
  });
  beforeEach(async () => {
    ada = await insertUser(workers.owner);
    workers.smtp.received.length = 0;
    workers.smtp.manners = 'take';
  });

  const ask = () => workers.ask('auth', WelcomeMail, { userId: ada.id });
  const failed = (id: string) =>
    workers.eventually('a failed attempt', async () => (await workers.row('auth', id)).attempts > 0);

  it('that is away for a while gets every mail once when it returns', async () => {
    await workers.smtp.close();
    const asked = await Promise.all(
      [1, 2, 3].map((number) =>
        workers.ask('auth', EmailChangedMail, { userId: ada.id, oldEmail: `member${number}@example.org` }),
      ),
    );
    await Promise.all(asked.map(failed));
    expect(await workers.row('auth', asked[0]!)).toMatchObject({
      doneAt: null,
      lastError: expect.stringContaining('ECONNREFUSED'),
    });
    await workers.smtp.open();
    await workers.allDone();
    expect(workers.smtp.received.map(({ recipients }) => recipients[0]).sort()).toEqual([
      'member1@example.org',
      'member2@example.org',
      'member3@example.org',
    ]);
    expect(await workers.row('auth', asked[0]!)).toMatchObject({ lastError: null });
  });

  it('that asks us to come back later is asked again', async () => {
    workers.smtp.manners = 'not-now';
    const id = await ask();
    await failed(id);
    workers.smtp.manners = 'take';
    await workers.allDone();
    expect(workers.smtp.received).toHaveLength(1);
  });

  it('that takes a mail and vanishes before it says so may get a copy, which is the same message', async () => {
    workers.smtp.manners = 'take-and-hang-up';
    const id = await ask();
    await failed(id);
    workers.smtp.manners = 'take';
    await workers.allDone();
    const ids = workers.smtp.received.map(({ mail }) => mail.messageId);
    expect(ids.length).toBeGreaterThan(1);
    expect(new Set(ids)).toEqual(new Set([`<${id}@meet.example>`]));
  });

  it('that knows no such recipient is not asked again, and its words are kept', async () => {
    workers.smtp.manners = 'refuse-recipients';
    const id = await ask();
    await workers.allDone();
    expect(await workers.row('auth', id)).toMatchObject({
      attempts: 1,
      lastError: expect.stringContaining('No such mailbox: <[hidden]>'),
    });
  });
});

describe('a refusal', () => {
  const smtpError = (code: string, responseCode?: number, command = 'RCPT TO') =>
    Object.assign(new Error(), { code, responseCode, command });

  it.each([
    ['the recipient, for good', smtpError('EENVELOPE', 550), true],
    ['the mail, for good', smtpError('EMESSAGE', 554), true],
    ['our sender, which says nothing about the mail', smtpError('EENVELOPE', 550, 'MAIL FROM'), false],
    ['the recipient, for now', smtpError('EENVELOPE', 450), false],
    ['our password, which says nothing about the mail', smtpError('EAUTH', 535), false],
    ['nothing: the connection broke', smtpError('ECONNECTION'), false],
  ])('is of %s', (_, error, final) => {
    expect(isRefusal(error)).toBe(final);
  });
});
