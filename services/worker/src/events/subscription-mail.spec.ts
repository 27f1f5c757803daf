import { SubscriptionConfirmMail } from '@meetmark/contracts';
import { verifyConfirmation } from '@meetmark/platform/identity/unsubscribe-link';
import { v7 as uuid } from 'uuid';
import { handlersForTests, SECRETS } from '../testing/test-worker.js';

describe('the subscription confirmation email', () => {
  const workers = handlersForTests();

  it.each([
    [null, 'en-US', ''],
    ['de', 'de', '?locale=de'],
  ])(
    'links to the confirmation page in the language of the sign-up page: %s',
    async (locale, lang, query) => {
      const id = uuid();
      await workers.owner.query(
        `INSERT INTO events.subscription_requests (id, email, topic_ids, digest, locale) VALUES ($1, 'vera@example.org', '{}', true, $2)`,
        [id, locale],
      );
      const { mail, recipients } = await workers.send('events', SubscriptionConfirmMail, { requestId: id });
      expect(recipients).toEqual(['vera@example.org']);
      expect(mail.html).toContain(`<html lang="${lang}">`);
      const { search, hash } = new URL(/https:\S+\/subscribe\/confirm\S*/.exec(mail.text!)![0]);
      expect([search, verifyConfirmation(hash.slice(1), [SECRETS.link])]).toEqual([query, id]);
    },
  );
});
