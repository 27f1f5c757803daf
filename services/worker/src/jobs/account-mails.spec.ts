import {
  EmailChangedMail,
  PasswordChangedMail,
  ResetCodeMail,
  resetCodeSeal,
  TestMail,
  WelcomeMail,
} from '@meetmark/contracts';
import { sealText } from '@meetmark/platform/sealing/sealed-text';
import { insertUser, type UserRow } from '@meetmark/testing/factories/users';
import { randomUUID } from 'node:crypto';
import { SECRETS, workersForTests } from '../testing/test-worker.js';

describe('mails about an account', () => {
  const workers = workersForTests();
  let ada: UserRow;

  beforeAll(async () => {
    await workers.start();
  });
  beforeEach(async () => {
    ada = await insertUser(workers.owner, { firstName: 'Ada', lastName: 'Lovelace' });
    workers.smtp.received.length = 0;
  });

  it('welcome a new member', async () => {
    await workers.ask('auth', WelcomeMail, { userId: ada.id });
    const { mail, recipients } = await workers.onlyMail();
    expect(recipients).toEqual([ada.email]);
    expect(mail).toMatchObject({
      subject: 'Welcome to Northern Digital Marketers',
      from: { name: 'Northern Digital Marketers', address: 'events@meet.example' },
      to: [{ name: 'Ada Lovelace', address: ada.email }],
    });
    expect(mail.text).toContain('Browse events: https://meet.example/');
    expect(mail.html).toContain('href="https://meet.example/"');
  });

  it('tell of a new password, in the time of the community', async () => {
    await workers.ask('auth', PasswordChangedMail, { userId: ada.id, at: '2026-07-01T17:30:00.000Z' });
    const { mail } = await workers.onlyMail();
    expect(mail.text).toMatch(/Wednesday, July 1, 2026(,| at) 6:30 PM GMT\+1/);
  });

  it('go to the old address when the address was changed, and to no other', async () => {
    await workers.ask('auth', EmailChangedMail, { userId: ada.id, oldEmail: 'old@example.org' });
    const { mail, recipients, raw } = await workers.onlyMail();
    expect(recipients).toEqual(['old@example.org']);
    expect(mail.to).toEqual([{ name: 'Ada Lovelace', address: 'old@example.org' }]);
    expect(raw).not.toContain(ada.email);
  });

  it('test the whole way on request', async () => {
    await workers.ask('auth', TestMail, { userId: ada.id });
    expect((await workers.onlyMail()).mail.subject).toBe('Test mail from Northern Digital Marketers');
  });

  it('cannot be turned off, and do not offer it', async () => {
    await workers.owner.query('UPDATE auth.users SET event_updates = false, reminders = false');
    await workers.ask('auth', PasswordChangedMail, { userId: ada.id, at: new Date().toISOString() });
    const { mail } = await workers.onlyMail();
    expect(mail.headers.map(({ key }) => key)).not.toContain('list-unsubscribe');
    expect(mail.text).not.toContain('Stop these mails');
  });

  it('have an id that tells a copy from another mail', async () => {
    const id = await workers.ask('auth', WelcomeMail, { userId: ada.id });
    expect((await workers.onlyMail()).mail.messageId).toBe(`<${id}@meet.example>`);
  });

  it('are not sent to an account that is gone', async () => {
    await workers.ask('auth', WelcomeMail, { userId: randomUUID() });
    await workers.allDone();
    expect(workers.smtp.received).toHaveLength(0);
  });

  it.each([
    ['a new header', 'Ann\r\nBcc: victim@example.com'],
    ['a second address', 'Ann, victim@example.com'],
    ['quotes and brackets', '"Ann" <victim@example.com>,'],
    ['a formula and a script', '=cmd|<script>alert(1)</script>'],
    ['emoji and right-to-left text', '🦊 שלום \u202Eevil'],
  ])('reach one person only, whatever the name: %s', async (_, firstName) => {
    const { id, email } = await insertUser(workers.owner, {
      firstName,
      email: `a?cc=x-${randomUUID()}@b.co`,
    });
    await workers.ask('auth', WelcomeMail, { userId: id });
    const { mail, recipients, raw } = await workers.onlyMail();
    expect(recipients).toEqual([email]);
    expect(mail.to?.map(({ address }) => address)).toEqual([email]);
    expect(mail.headers.map(({ key }) => key)).not.toContain('bcc');
    // names reach headers encoded: nothing but ASCII in lines of bounded length
    const head = raw.slice(0, raw.indexOf('\r\n\r\n'));
    expect(head).toMatch(/^[\r\n\t\x20-\x7e]*$/);
    expect(Math.max(...head.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998);
  });

  describe('with a reset code', () => {
    const askForCode = async (changes: { sealedCode?: string; used?: boolean; expired?: boolean } = {}) => {
      const id = randomUUID();
      const sealedCode = changes.sealedCode ?? sealText('042137', resetCodeSeal(id), [SECRETS.resetCode]);
      await workers.owner.query(
        `INSERT INTO auth.password_reset_tokens (id, user_id, email, token_hash, sealed_code, expires_at, used_at)
         VALUES ($1, $2, $3, decode(repeat('00', 32), 'hex'), $4, now() + $5 * interval '1 minute', $6)`,
        [id, ada.id, ada.email, sealedCode, changes.expired ? -1 : 10, changes.used ? new Date() : null],
      );
      return { id, job: await workers.ask('auth', ResetCodeMail, { resetTokenId: id }) };
    };
    const sealedCodeOf = async (id: string) => {
      const [row] = await workers.owner.query<{ sealed_code: string | null }[]>(
        'SELECT sealed_code FROM auth.password_reset_tokens WHERE id = $1',
        [id],
      );
      return row?.sealed_code;
    };

    it('carry it in the body, not in the subject, and the readable copy is forgotten', async () => {
      const { id } = await askForCode();
      const { mail } = await workers.onlyMail();
      expect(mail.text).toContain('042137');
      expect(mail.html).toContain('042137');
      expect(mail.subject).not.toMatch(/\d{6}/);
      expect(await sealedCodeOf(id)).toBeNull();
    });

    it.each([
      ['was used', { used: true }],
      ['has expired', { expired: true }],
    ])('are not sent when it %s, and the readable copy is forgotten', async (_, changes) => {
      const { id } = await askForCode(changes);
      await workers.allDone();
      expect(workers.smtp.received).toHaveLength(0);
      expect(await sealedCodeOf(id)).toBeNull();
    });

    it('are given up, with the reason, when it was sealed with a secret we do not have', async () => {
      const { job } = await askForCode({
        sealedCode: sealText('1', 'other', ['another secret of 32 characters..']),
      });
      await workers.allDone();
      expect(await workers.row('auth', job)).toMatchObject({
        lastError: expect.stringContaining('RESET_CODE_SECRETS'),
      });
    });
  });
});
