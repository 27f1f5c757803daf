import { randomBytes, randomUUID } from 'node:crypto';
import {
  AccountClosedMail,
  AddressTakenMail,
  CodeMail,
  codeSeal,
  EmailChangedMail,
  PasswordChangedMail,
  revertSeal,
  type SealedCode,
  WelcomeMail,
} from '@meetmark/contracts';
import { sealText } from '@meetmark/platform/identity/sealed-text';
import { daysFromNow, insertEvent } from '@meetmark/testing/factories/events';
import { insertUser, type UserRow } from '@meetmark/testing/factories/users';
import { handlersForTests, SECRETS } from '../testing/test-worker.js';

describe('account emails', () => {
  const workers = handlersForTests();
  let ada: UserRow;

  beforeEach(async () => {
    ada = await insertUser(workers.owner, { firstName: 'Ada', lastName: 'Lovelace' });
    workers.smtp.received.length = 0;
  });

  interface Flow {
    [column: string]: unknown;
    content?: Partial<SealedCode>;
  }
  const writeFlow = async ({ content, ...given }: Flow = {}) => {
    const id = randomUUID();
    const text = JSON.stringify({ code: '042137', link: `link-${id}`, ...content });
    await workers.insert('auth.code_flows', {
      ...{ id, purpose: 'reset', userId: ada.id, email: ada.email, linkHash: randomBytes(32) },
      ...{ sealed: sealText(text, codeSeal(id), [SECRETS.resetCode]) },
      ...{ expiresAt: new Date(), linkExpiresAt: daysFromNow(0.01), ...given },
    });
    return id;
  };
  const takenFlow = async () =>
    writeFlow({ purpose: 'change-new', userId: (await insertUser(workers.owner)).id, mailAt: new Date() });

  const changeAda = (changes: object) => workers.update('auth.users', ada.id, changes);

  it('welcome a new member', async () => {
    const { mail, recipients } = await workers.send('auth', WelcomeMail, { userId: ada.id });
    expect(recipients).toEqual([ada.email]);
    expect(mail).toMatchObject({
      subject: 'Welcome to Northern Digital Marketers',
      from: { name: 'Northern Digital Marketers', address: 'events@meet.example' },
      to: [{ name: 'Ada Lovelace', address: ada.email }],
    });
  });

  it('confirm that an account is closed, and send nothing else to it', async () => {
    await changeAda({ closedAt: '2026-07-01T17:30:00.000Z' });
    const { mail, recipients } = await workers.send('auth', AccountClosedMail, { userId: ada.id });
    expect(recipients).toEqual([ada.email]);
    expect(mail.text).toMatch(/Wednesday, July 8, 2026(,| at) 6:30 PM BST/);
    expect(await workers.run('auth', WelcomeMail, { userId: ada.id })).toEqual([]);
    const { recipients: coded } = await workers.send('auth', CodeMail, { flowId: await writeFlow() });
    expect(coded).toEqual([ada.email]);
  });

  it('mention in the welcome email that an earlier password was removed', async () => {
    const welcome = { userId: ada.id, passwordEnded: true };
    const { mail } = await workers.send('auth', WelcomeMail, welcome);
    expect(mail.text).toContain('removed that password');
  });

  it('report a new password in the member’s language, even after an opt-out', async () => {
    await changeAda({ eventUpdates: false, reminders: false, locale: 'de' });
    const changed = { userId: ada.id, at: '2026-07-01T17:30:00.000Z' };
    const { mail } = await workers.send('auth', PasswordChangedMail, changed);
    expect(mail.text).toMatch(/^Wann: Mittwoch, 1. Juli 2026 um 18:30/m);
    expect(mail.html).toContain('<html lang="de">');
    expect(mail.headers.map(({ key }) => key)).not.toContain('list-unsubscribe');
  });

  it('report a changed email address to the old address only', async () => {
    const change = { userId: ada.id, oldEmail: 'old@example.org' };
    const { mail, recipients, raw } = await workers.send('auth', EmailChangedMail, change);
    expect(recipients).toEqual(['old@example.org']);
    expect(mail.to).toEqual([{ name: 'Ada Lovelace', address: 'old@example.org' }]);
    expect(raw).not.toContain(ada.email);
  });

  it('send nothing when the account does not exist', async () => {
    expect(await workers.run('auth', WelcomeMail, { userId: randomUUID() })).toEqual([]);
  });

  it('send nothing to email addresses of the demo community', async () => {
    const member = await insertUser(workers.owner, { email: 'amelia.hartley@members.example' });
    const lookalike = await insertUser(workers.owner, { email: 'amelia.hartley@our-members.example' });
    await workers.ask('auth', WelcomeMail, { userId: member.id });
    await workers.ask('auth', PasswordChangedMail, { userId: member.id, at: new Date().toISOString() });
    await workers.ask('auth', EmailChangedMail, { userId: ada.id, oldEmail: 'Oscar.Bell@Members.Example' });
    await workers.ask('auth', WelcomeMail, { userId: lookalike.id });
    expect((await workers.onlyMail()).recipients).toEqual([lookalike.email]);
  });

  it.each([
    ['a second address', 'Ann, victim@example.com'],
    ['quotes and brackets', '"Ann" <victim@example.com>,'],
    ['a formula and a script', '=cmd|<script>alert(1)</script>'],
    ['emoji and right-to-left text', '🦊 שלום'],
  ])('reach a single recipient when the name contains %s', async (_, firstName) => {
    const email = `a?cc=x-${randomUUID()}@b.co`;
    const { id } = await insertUser(workers.owner, { firstName, email });
    const { mail, recipients, raw } = await workers.send('auth', WelcomeMail, { userId: id });
    expect(recipients).toEqual([email]);
    expect(mail.to?.map(({ address }) => address)).toEqual([email]);
    expect(mail.headers.map(({ key }) => key)).not.toContain('bcc');
    const head = raw.slice(0, raw.indexOf('\r\n\r\n'));
    expect(head).toMatch(/^[\r\n\t\x20-\x7e]*$/);
    expect(Math.max(...head.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998);
  });

  it('contain a revert link whose stored secret is erased after sending', async () => {
    const id = randomUUID();
    await workers.insert('auth.email_reverts', {
      ...{ id, userId: ada.id, email: 'old@example.org', linkHash: randomBytes(32) },
      ...{ sealed: sealText('secret-of-the-way-back', revertSeal(id), [SECRETS.resetCode]) },
      expiresAt: daysFromNow(3),
    });
    const change = { userId: ada.id, oldEmail: 'old@example.org', revertId: id };
    const { mail } = await workers.send('auth', EmailChangedMail, change);
    expect(mail.text).toContain('https://meet.example/revert-email#secret-of-the-way-back');
    const [row] = await workers.owner.query('SELECT sealed FROM auth.email_reverts WHERE id = $1', [id]);
    expect(row).toEqual({ sealed: null });
  });

  it('remind the owner of a taken email address, unless a newer request replaced it', async () => {
    const taken = { userId: ada.id, flowId: await takenFlow() };
    const { mail } = await workers.send('auth', AddressTakenMail, taken);
    expect(mail.subject).toBe('You have an account at Northern Digital Marketers');
    await workers.owner.query('UPDATE auth.code_flows SET mail_at = NULL WHERE id = $1', [taken.flowId]);
    expect(await workers.run('auth', AddressTakenMail, taken)).toEqual([]);
  });

  it('send nothing while the email address is unverified', async () => {
    await changeAda({ emailVerifiedAt: null });
    const jobs = [
      await workers.ask('auth', WelcomeMail, { userId: ada.id }),
      await workers.ask('auth', PasswordChangedMail, { userId: ada.id, at: new Date().toISOString() }),
      await workers.ask('auth', AddressTakenMail, { userId: ada.id, flowId: await takenFlow() }),
    ];
    await workers.allDone();
    expect(workers.smtp.received).toHaveLength(0);
    const rows = await workers.owner.query('SELECT skipped FROM auth.outbox WHERE id = ANY($1)', [jobs]);
    expect(rows).toEqual([{ skipped: true }, { skipped: true }, { skipped: true }]);
  });

  describe('with a code', () => {
    const sendCode = async (given: Flow = {}) => {
      const id = await writeFlow(given);
      const [received, ...more] = await workers.run('auth', CodeMail, { flowId: id });
      expect(more).toEqual([]);
      return { id, received };
    };
    const fetchSealed = async (id: string) => {
      const [row] = await workers.owner.query<{ sealed: string | null }[]>(
        'SELECT sealed FROM auth.code_flows WHERE id = $1',
        [id],
      );
      return row?.sealed;
    };

    it.each([
      ['verify', 'Confirm your email address for Northern Digital Marketers', 'verify'],
      ['sign-in', 'Your Northern Digital Marketers sign-in code', 'sign-in'],
      ['reset', 'Your Northern Digital Marketers reset code', 'reset'],
      ['change-present', 'Confirm the change of your Northern Digital Marketers email address', 'email'],
      ['change-new', 'Confirm your new email address at Northern Digital Marketers', 'email'],
    ])('show the %s code in the body, not in the subject, and erase the stored copy', async (...story) => {
      const [purpose, subject, confirms] = story;
      const { id, received } = await sendCode({ purpose });
      const { mail } = received!;
      expect(mail.subject).toBe(subject);
      expect(mail.text).toContain('042137');
      expect(mail.html).toContain('042137');
      expect(mail.text).toContain(`https://meet.example/confirm#${confirms}.link-${id}`);
      expect(await fetchSealed(id)).toBeNull();
    });

    it('contain only a link when no code was created', async () => {
      const { id, received } = await sendCode({ content: { code: null } });
      const { mail } = received!;
      expect(mail.subject).toBe('Your Northern Digital Marketers reset link');
      expect(mail.text).not.toMatch(/your code|\b\d{6}\b/);
      expect(mail.text).toContain(`/confirm#reset.link-${id}`);
    });

    it('contain no name when the email address is new or unverified', async () => {
      const toNew = await sendCode({ purpose: 'change-new', email: 'new@example.org' });
      await changeAda({ emailVerifiedAt: null });
      const toUnverified = await sendCode({ purpose: 'verify' });
      const mails = [toNew.received!, toUnverified.received!];
      expect(mails.map(({ recipients }) => recipients)).toEqual([['new@example.org'], [ada.email]]);
      for (const { raw, mail } of mails) expect(raw + mail.text + mail.html).not.toMatch(/Ada|Lovelace/);
    });

    describe('to register for an event', () => {
      const HOSTILE = '<img src=x onerror=alert(1)> https://evil.example';
      const register = async (given: Flow = {}) =>
        sendCode({
          ...{ purpose: 'rsvp', userId: null, email: 'new@example.org' },
          ...{ firstName: HOSTILE, lastName: HOSTILE, waitlist: false },
          eventId: (await insertEvent(workers.owner, { title: 'Attribution breakfast' })).id,
          ...given,
        });

      it('show the event title but not the entered name when there is no account', async () => {
        const { id, received } = await register();
        const { recipients, raw, mail } = received!;
        expect(recipients).toEqual(['new@example.org']);
        expect(mail.subject).toBe('Your registration code for Attribution breakfast');
        expect(mail.text).toContain('042137');
        expect(mail.text).toContain(`https://meet.example/confirm#rsvp.link-${id}`);
        expect(mail.text).not.toMatch(/sign in and register/i);
        expect(mail.text! + mail.html!).not.toContain('email settings');
        expect(raw + mail.text + mail.html).not.toMatch(/evil|onerror/);
        expect(await fetchSealed(id)).toBeNull();
      });

      it('use the language of the page where a visitor requested the code', async () => {
        const { mail } = (await register({ locale: 'de' })).received!;
        expect(mail.subject).toBe('Ihr Code zur Anmeldung: Attribution breakfast');
        expect(mail.html).toContain('<html lang="de">');
      });

      it('explain to an account owner that the code also signs them in', async () => {
        const { mail } = (await register({ userId: ada.id, email: ada.email })).received!;
        expect(mail.text).toContain('sign in and register for “Attribution breakfast”');
        expect(mail.text).toContain('Your email settings: https://meet.example/profile/notifications');
        expect(mail.text).toContain(ada.firstName);
      });

      it('send no code once the event is deleted', async () => {
        const { id, received } = await register({ eventId: randomUUID() });
        expect([received, await fetchSealed(id)]).toEqual([undefined, null]);
      });
    });

    it.each([
      ['was used', { endedAt: new Date() }],
      ['has expired', { linkExpiresAt: daysFromNow(-0.01) }],
    ])('send nothing and erase the stored copy when the code %s', async (_, given) => {
      const { id, received } = await sendCode(given);
      expect(received).toBeUndefined();
      expect(await fetchSealed(id)).toBeNull();
    });

    it('fail with an error that names RESET_CODE_SECRETS when no secret decrypts the code', async () => {
      const flowId = await writeFlow({
        sealed: sealText('1', 'other', ['another secret of 32 characters..']),
      });
      const job = await workers.ask('auth', CodeMail, { flowId });
      await workers.allDone();
      expect(await workers.row('auth', job)).toMatchObject({
        lastError: expect.stringContaining('RESET_CODE_SECRETS'),
      });
    });
  });
});
