import { EmailChangedMail, WelcomeMail } from '@meetmark/contracts';
import { insertUser, type UserRow } from '@meetmark/testing/factories/users';
import { workersForTests } from '../testing/test-worker.js';
import { isRefusal } from './mailer.js';
import { mailTransport } from './transport.js';

const HOUR = 3_600;
/** Maximum attempts within 24 hours, if jitter halves every pause. */
const MOST_ATTEMPTS = 61;

describe('sending through an unreliable mail server', () => {
  const workers = workersForTests({ retryAfter: 1_000 });
  let ada: UserRow;

  beforeAll(async () => {
    await workers.startHandlers(mailTransport);
    ada = await insertUser(workers.owner);
  });
  beforeEach(() => workers.reset());

  const ask = () => workers.ask('auth', WelcomeMail, { userId: ada.id });
  const failed = (id: string) =>
    workers.eventually('a failed attempt', async () => (await workers.row('auth', id)).attempts > 0);
  /** Moves the row's times back until the next attempt is due. Returns the shift in seconds. */
  const passUntilDue = async (id: string): Promise<number> => {
    const [row] = await workers.owner.query<[{ pause: number }]>(
      `WITH open AS (SELECT id, available_at - now() AS pause FROM auth.outbox WHERE id = $1),
         moved AS (
           UPDATE auth.outbox AS o SET available_at = available_at - pause, failing_since = failing_since - pause
           FROM open WHERE o.id = open.id)
       SELECT extract(epoch FROM pause)::float AS pause FROM open`,
      [id],
    );
    return row.pause;
  };

  it('delivers every email once after an outage', async () => {
    await workers.smtp.close();
    const addresses = [1, 2, 3].map((number) => `member${number}@example.org`);
    const asked = await Promise.all(
      addresses.map((oldEmail) => workers.ask('auth', EmailChangedMail, { userId: ada.id, oldEmail })),
    );
    for (const id of asked) await failed(id);
    expect(await workers.row('auth', asked[0]!)).toMatchObject({
      doneAt: null,
      lastError: expect.stringContaining('ECONNREFUSED'),
    });
    await workers.smtp.open();
    await workers.allDone();
    expect(workers.smtp.received.map(({ recipients }) => recipients[0]).sort()).toEqual(addresses);
    expect(await workers.row('auth', asked[0]!)).toMatchObject({ lastError: null });
  });

  it('retries at most an hour apart and stops after a day of temporary refusals', async () => {
    workers.smtp.manners = 'not-now';
    const id = await ask();
    /** Pauses between attempts in seconds. */
    const pauses: number[] = [];
    await failed(id);
    while (pauses.length < MOST_ATTEMPTS && !(await workers.isDone('auth', id))) {
      pauses.push(await passUntilDue(id));
      const attempts = pauses.length + 1;
      await workers.eventually(
        'an attempt',
        async () => (await workers.row('auth', id)).attempts === attempts,
      );
    }
    expect(pauses.filter((pause, index) => pause > Math.min(2 ** index, HOUR))).toEqual([]);
    expect(pauses.filter((pause) => pause > HOUR / 2).length).toBeGreaterThan(20);
    const day = pauses.reduce((sum, pause) => sum + pause);
    expect(day).toBeGreaterThan(23 * HOUR);
    expect(day).toBeLessThan(24 * HOUR);
    const { lastError } = await workers.row('auth', id);
    expect(lastError).toContain('452');
    expect(workers.smtp.received).toEqual([]);
  });

  it('repeats an email with the same Message-ID when the server hangs up before confirming', async () => {
    workers.smtp.manners = 'take-and-hang-up';
    const id = await ask();
    await failed(id);
    workers.smtp.manners = 'take';
    await workers.allDone();
    const ids = workers.smtp.received.map(({ mail }) => mail.messageId);
    expect(ids.length).toBeGreaterThan(1);
    expect(new Set(ids)).toEqual(new Set([`<${id}@meet.example>`]));
  });

  it('does not retry an unknown recipient, and stores the server reply without the address', async () => {
    workers.smtp.manners = 'refuse-recipients';
    const id = await ask();
    await workers.allDone();
    expect(await workers.row('auth', id)).toMatchObject({
      attempts: 1,
      lastError: expect.stringContaining('No such mailbox: <[hidden]>'),
    });
  });
});

describe('isRefusal', () => {
  const smtpError = (code: string, responseCode?: number, command = 'RCPT TO') =>
    Object.assign(new Error(), { code, responseCode, command });

  it.each([
    ['true for a permanently refused recipient', smtpError('EENVELOPE', 550), true],
    ['true for a permanently refused email', smtpError('EMESSAGE', 554), true],
    ['false for a refused sender', smtpError('EENVELOPE', 550, 'MAIL FROM'), false],
    ['false for a temporarily refused recipient', smtpError('EENVELOPE', 450), false],
    ['false for a failed login', smtpError('EAUTH', 535), false],
    ['false for a broken connection', smtpError('ECONNECTION'), false],
  ])('returns %s', (_, error, final) => {
    expect(isRefusal(error)).toBe(final);
  });
});
