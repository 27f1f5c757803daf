import { randomUUID } from 'node:crypto';
import {
  AddressTakenMail,
  CodeMail,
  codeSeal,
  EmailChangedMail,
  PasswordChangedMail,
  revertSeal,
  type SealedCode,
  TestMail,
  WelcomeMail,
} from '@meetmark/contracts';
import { sealText } from '@meetmark/platform/identity/sealed-text';
import { insertEvent } from '@meetmark/testing/factories/events';
import { insertUser, type UserRow } from '@meetmark/testing/factories/users';
import { SECRETS, workersForTests } from '../testing/test-worker.js';

describe('account emails', () => {
  const workers = workersForTests();
  let ada: UserRow;

  beforeAll(async () => {
    await workers.startHandlers();
  });
  beforeEach(async () => {
    ada = await insertUser(workers.owner, { firstName: 'Ada', lastName: 'Lovelace' });
    workers.smtp.received.length = 0;
  });

  const takenFlow = async () => {
    const id = randomUUID();
    await workers.owner.query(
      `INSERT INTO auth.code_flows (id, purpose, user_id, email, link_hash, mail_at, expires_at, link_expires_at)
       VALUES ($1::uuid, 'change-new', $2, $3, sha256($1::text::bytea), now(), now() + interval '10 minutes', now() + interval '10 minutes')`,
      [id, (await insertUser(workers.owner)).id, ada.email],
    );
    return id;
  };

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

  it('report a new password, with the time in the community’s time zone', async () => {
    await workers.ask('auth', PasswordChangedMail, { userId: ada.id, at: '2026-07-01T17:30:00.000Z' });
    const { mail } = await workers.onlyMail();
    expect(mail.text).toMatch(/Wednesday, July 1, 2026(,| at) 6:30 PM BST/);
  });

  it('use the member’s language, also for dates', async () => {
    await workers.owner.query("UPDATE auth.users SET locale = 'de' WHERE id = $1", [ada.id]);
    await workers.ask('auth', PasswordChangedMail, { userId: ada.id, at: '2026-07-01T17:30:00.000Z' });
    const { mail } = await workers.onlyMail();
    expect(mail.subject).toBe('Ihr Passwort für Northern Digital Marketers wurde geändert');
    expect(mail.text).toMatch(/^Guten Tag Ada!$/m);
    expect(mail.text).toMatch(/^Wann: Mittwoch, 1. Juli 2026 um 18:30/m);
    expect(mail.html).toContain('<html lang="de">');
  });

  it('report a changed email address to the old address only', async () => {
    await workers.ask('auth', EmailChangedMail, { userId: ada.id, oldEmail: 'old@example.org' });
    const { mail, recipients, raw } = await workers.onlyMail();
    expect(recipients).toEqual(['old@example.org']);
    expect(mail.to).toEqual([{ name: 'Ada Lovelace', address: 'old@example.org' }]);
    expect(raw).not.toContain(ada.email);
  });

  it('send a test email on request', async () => {
    await workers.ask('auth', TestMail, { userId: ada.id });
    expect((await workers.onlyMail()).mail.subject).toBe('Test email from Northern Digital Marketers');
  });

  it('ignore opt-outs and contain no unsubscribe link', async () => {
    await workers.owner.query('UPDATE auth.users SET event_updates = false, reminders = false');
    await workers.ask('auth', PasswordChangedMail, { userId: ada.id, at: new Date().toISOString() });
    const { mail } = await workers.onlyMail();
    expect(mail.headers.map(({ key }) => key)).not.toContain('list-unsubscribe');
    expect(mail.text).not.toContain('Unsubscribe from these emails');
  });

  it('have a Message-ID made from the job id', async () => {
    const id = await workers.ask('auth', WelcomeMail, { userId: ada.id });
    expect((await workers.onlyMail()).mail.messageId).toBe(`<${id}@meet.example>`);
  });

  it('send nothing when the account does not exist', async () => {
    await workers.ask('auth', WelcomeMail, { userId: randomUUID() });
    await workers.allDone();
    expect(workers.smtp.received).toHaveLength(0);
  });

  it('send nothing to email addresses of the demo community', async () => {
    const [member, lookalike] = [
      await insertUser(workers.owner, { email: 'amelia.hartley@members.example' }),
      await insertUser(workers.owner, { email: 'amelia.hartley@our-members.example' }),
    ];
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
    const { id, email } = await insertUser(workers.owner, {
      firstName,
      email: `a?cc=x-${randomUUID()}@b.co`,
    });
    await workers.ask('auth', WelcomeMail, { userId: id });
    const { mail, recipients, raw } = await workers.onlyMail();
    expect(recipients).toEqual([email]);
    expect(mail.to?.map(({ address }) => address)).toEqual([email]);
    expect(mail.headers.map(({ key }) => key)).not.toContain('bcc');
    const head = raw.slice(0, raw.indexOf('\r\n\r\n'));
    expect(head).toMatch(/^[\r\n\t\x20-\x7e]*$/);
    expect(Math.max(...head.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998);
  });

  it('mention in the welcome email that an earlier password was removed', async () => {
    await workers.ask('auth', WelcomeMail, { userId: ada.id, passwordEnded: true });
    expect((await workers.onlyMail()).mail.text).toMatch(
      /who set your earlier password.*removed that password/,
    );
  });

  it('contain a revert link whose stored secret is erased after sending', async () => {
    const id = randomUUID();
    await workers.owner.query(
      `INSERT INTO auth.email_reverts (id, user_id, email, link_hash, sealed, expires_at)
       VALUES ($1, $2, 'old@example.org', decode(repeat('01', 32), 'hex'), $3, now() + interval '3 days')`,
      [id, ada.id, sealText('secret-of-the-way-back', revertSeal(id), [SECRETS.resetCode])],
    );
    await workers.ask('auth', EmailChangedMail, {
      userId: ada.id,
      oldEmail: 'old@example.org',
      revertId: id,
    });
    const { mail, recipients } = await workers.onlyMail();
    expect(recipients).toEqual(['old@example.org']);
    expect(mail.text).toContain('https://meet.example/revert-email#secret-of-the-way-back');
    const [row] = await workers.owner.query('SELECT sealed FROM auth.email_reverts WHERE id = $1', [id]);
    expect(row).toEqual({ sealed: null });
  });

  it('remind the owner of a taken email address that they have an account', async () => {
    await workers.ask('auth', AddressTakenMail, { userId: ada.id, flowId: await takenFlow() });
    expect((await workers.onlyMail()).mail.subject).toBe('You have an account at Northern Digital Marketers');
  });

  it('send no account reminder when a newer request has replaced it', async () => {
    const flowId = await takenFlow();
    await workers.owner.query('UPDATE auth.code_flows SET mail_at = NULL WHERE id = $1', [flowId]);
    await workers.ask('auth', AddressTakenMail, { userId: ada.id, flowId });
    await workers.allDone();
    expect(workers.smtp.received).toHaveLength(0);
  });

  it('send nothing while the email address is unverified', async () => {
    await workers.owner.query('UPDATE auth.users SET email_verified_at = NULL WHERE id = $1', [ada.id]);
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
    interface Given {
      purpose?: string;
      email?: string;
      content?: Partial<SealedCode>;
      sealed?: string;
      used?: boolean;
      expired?: boolean;
      eventId?: string;
    }
    const writeFlow = async (given: Given = {}) => {
      const id = randomUUID();
      const content = { code: '042137', link: `link-${id}`, ...given.content };
      const sealed = given.sealed ?? sealText(JSON.stringify(content), codeSeal(id), [SECRETS.resetCode]);
      await workers.owner.query(
        `INSERT INTO auth.code_flows (id, purpose, user_id, email, link_hash, sealed, expires_at, link_expires_at, ended_at, event_id)
         VALUES ($1::uuid, $2, $3, $4, decode(md5($1::text) || md5($1::text), 'hex'), $5, now(), now() + $6 * interval '1 minute', $7, $8)`,
        [
          ...[id, given.purpose ?? 'reset', ada.id, given.email ?? ada.email, sealed],
          ...[given.expired ? -1 : 10, given.used ? new Date() : null, given.eventId ?? null],
        ],
      );
      return id;
    };
    const askForCode = async (given: Given = {}, payload: object = {}) => {
      const id = await writeFlow(given);
      return { id, job: await workers.ask('auth', CodeMail, { flowId: id, ...payload }) };
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
      const { id } = await askForCode({ purpose });
      const { mail } = await workers.onlyMail();
      expect(mail.subject).toBe(subject);
      expect(mail.text).toContain('042137');
      expect(mail.html).toContain('042137');
      expect(mail.text).toContain(`https://meet.example/confirm#${confirms}.link-${id}`);
      expect(await fetchSealed(id)).toBeNull();
    });

    it('contain only a link when no code was created', async () => {
      const { id } = await askForCode({ content: { code: null } });
      const { mail } = await workers.onlyMail();
      expect(mail.subject).toBe('Your Northern Digital Marketers reset link');
      expect(mail.text).not.toMatch(/your code|\b\d{6}\b/);
      expect(mail.text).toContain(`/confirm#reset.link-${id}`);
    });

    it('contain no name when the email address is new or unverified', async () => {
      await askForCode({ purpose: 'change-new', email: 'new@example.org' });
      const toNew = await workers.onlyMail();
      expect(toNew.recipients).toEqual(['new@example.org']);
      workers.smtp.received.length = 0;
      await workers.owner.query('UPDATE auth.users SET email_verified_at = NULL WHERE id = $1', [ada.id]);
      await askForCode({ purpose: 'verify' });
      const toUnverified = await workers.onlyMail();
      expect(toUnverified.recipients).toEqual([ada.email]);
      for (const { raw, mail } of [toNew, toUnverified])
        expect(raw + mail.text + mail.html).not.toMatch(/Ada|Lovelace/);
    });

    describe('to register for an event', () => {
      const HOSTILE = '<img src=x onerror=alert(1)> https://evil.example';
      const askToRegister = async (
        given: { userId?: string | null; email?: string; title?: string; locale?: string } = {},
      ) => {
        const { userId = null, email = 'new@example.org', title = 'Attribution breakfast', locale } = given;
        const event = await insertEvent(workers.owner, { title });
        const id = randomUUID();
        const sealed = sealText(JSON.stringify({ code: '042137', link: `link-${id}` }), codeSeal(id), [
          SECRETS.resetCode,
        ]);
        await workers.owner.query(
          `INSERT INTO auth.code_flows (id, purpose, user_id, email, link_hash, sealed, expires_at, link_expires_at,
             event_id, first_name, last_name, waitlist, locale)
           VALUES ($1::uuid, 'rsvp', $2, $3, decode(md5($1::text) || md5($1::text), 'hex'), $4, now(),
             now() + interval '10 minutes', $5, $6, $6, false, $7)`,
          [id, userId, email, sealed, event.id, HOSTILE, locale],
        );
        return { id, event, ask: () => workers.ask('auth', CodeMail, { flowId: id }) };
      };

      it('show the event title but not the entered name when there is no account', async () => {
        const { id, ask } = await askToRegister();
        await ask();
        const { recipients, raw, mail } = await workers.onlyMail();
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
        const { ask } = await askToRegister({ locale: 'de' });
        await ask();
        const { mail } = await workers.onlyMail();
        expect(mail.subject).toBe('Ihr Code zur Anmeldung: Attribution breakfast');
        expect(mail.html).toContain('<html lang="de">');
      });

      it('explain to an account owner that the code also signs them in', async () => {
        const { ask } = await askToRegister({ userId: ada.id, email: ada.email });
        await ask();
        const { mail } = await workers.onlyMail();
        expect(mail.text).toContain('sign in and register for “Attribution breakfast”');
        expect(mail.text).toContain('Your email settings: https://meet.example/profile/notifications');
        expect(mail.text).toContain(ada.firstName);
      });

      it('escape HTML in the event title', async () => {
        const { ask } = await askToRegister({ title: HOSTILE });
        await ask();
        const { mail } = await workers.onlyMail();
        expect(mail.html).not.toMatch(/<img src=x/);
        expect(mail.text).toContain('<img src=x');
      });

      it('send no code once the event is deleted', async () => {
        const { id, event, ask } = await askToRegister();
        await workers.owner.query('DELETE FROM events.events WHERE id = $1', [event.id]);
        await ask();
        await workers.allDone();
        expect([workers.smtp.received.length, await fetchSealed(id)]).toEqual([0, null]);
      });
    });

    it.each([
      ['was used', { used: true }],
      ['has expired', { expired: true }],
    ])('send nothing and erase the stored copy when the code %s', async (_, changes) => {
      const { id } = await askForCode(changes);
      await workers.allDone();
      expect(workers.smtp.received).toHaveLength(0);
      expect(await fetchSealed(id)).toBeNull();
    });

    it('fail with an error that names RESET_CODE_SECRETS when no secret decrypts the code', async () => {
      const { job } = await askForCode({
        sealed: sealText('1', 'other', ['another secret of 32 characters..']),
      });
      await workers.allDone();
      expect(await workers.row('auth', job)).toMatchObject({
        lastError: expect.stringContaining('RESET_CODE_SECRETS'),
      });
    });
  });
});
