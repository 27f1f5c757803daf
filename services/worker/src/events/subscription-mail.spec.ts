import { SubscriptionConfirmMail } from '@meetmark/contracts';
import { verifyConfirmation } from '@meetmark/platform/identity/unsubscribe-link';
import { v7 as uuid } from 'uuid';
import { SECRETS, workersForTests } from '../testing/test-worker.js';

describe('the mail that proves an address', () => {
  const workers = workersForTests();
  beforeEach(() => workers.reset('events.subscription_requests'));

  const asked = async (locale: string | null) => {
    const id = uuid();
    await workers.owner.query(
      `INSERT INTO events.subscription_requests (id, email, topic_ids, digest, locale) VALUES ($1, 'vera@example.org', '{}', true, $2)`,
      [id, locale],
    );
    await workers.ask('events', SubscriptionConfirmMail, { requestId: id });
    await workers.start();
    return { id, ...(await workers.onlyMail()) };
  };
  const linkOf = (text = '') => /https:\S+\/subscribe\/confirm\S*/.exec(text)![0];

  it('leads to the page that confirms, for this request alone', async () => {
    const { id, mail, recipients } = await asked(null);
    expect([recipients, mail.subject]).toEqual([
      ['vera@example.org'],
      expect.stringMatching(/^Confirm your address/),
    ]);
    const { search, hash } = new URL(linkOf(mail.text));
    expect([search, verifyConfirmation(hash.slice(1), [SECRETS.link])]).toEqual(['', id]);
  });

  it('is in the language of the pages on which the address was typed, as is that page', async () => {
    const { mail } = await asked('de');
    expect(mail.subject).toMatch(/^Bestätigen Sie Ihre Adresse/);
    expect(mail.html).toContain('<html lang="de">');
    expect(new URL(linkOf(mail.text)).search).toBe('?locale=de');
  });
});
