import { SubscriptionConfirmMail } from '@meetmark/contracts';
import { verifyConfirmation } from '@meetmark/platform/identity/unsubscribe-link';
import { v7 as uuid } from 'uuid';
import { SECRETS, workersForTests } from '../testing/test-worker.js';

describe('the subscription confirmation email', () => {
  const workers = workersForTests();
  beforeEach(() => workers.reset('events.subscription_requests'));

  const asked = async (locale: string | null) => {
    const id = uuid();
    await workers.owner.query(
      `INSERT INTO events.subscription_requests (id, email, topic_ids, digest, locale) VALUES ($1, 'vera@example.org', '{}', true, $2)`,
      [id, locale],
    );
    await workers.ask('events', SubscriptionConfirmMail, { requestId: id });
    await workers.startHandlers();
    return { id, ...(await workers.onlyMail()) };
  };
  const findLink = (text = '') => /https:\S+\/subscribe\/confirm\S*/.exec(text)![0];

  it('links to the confirmation page with a token for the request', async () => {
    const { id, mail, recipients } = await asked(null);
    expect([recipients, mail.subject]).toEqual([
      ['vera@example.org'],
      expect.stringMatching(/^Confirm your email address/),
    ]);
    const { search, hash } = new URL(findLink(mail.text));
    expect([search, verifyConfirmation(hash.slice(1), [SECRETS.link])]).toEqual(['', id]);
  });

  it('uses the language of the sign-up page, also in its link', async () => {
    const { mail } = await asked('de');
    expect(mail.subject).toMatch(/^Bestätigen Sie Ihre E-Mail-Adresse/);
    expect(mail.html).toContain('<html lang="de">');
    expect(new URL(findLink(mail.text)).search).toBe('?locale=de');
  });
});
