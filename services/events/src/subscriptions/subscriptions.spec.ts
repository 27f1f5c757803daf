import { SubscriptionConfirmMail, type SubscriptionRequest, type VisitorList } from '@meetmark/contracts';
import { outcomes } from '@meetmark/testing';
import { insertUser, updateRow } from '@meetmark/testing/factories/users';
import { v7 as uuid } from 'uuid';
import { createCall, eventsForTests, inject } from '../testing/open-events.js';
import { TopicsService } from '../topics/topics.service.js';
import { SubscriptionsController } from './subscriptions.controller.js';

const EMAIL = 'vera@example.org';

describe('signing up for emails without an account', () => {
  const events = eventsForTests();
  const controller = inject(events, SubscriptionsController);
  let topics: string[];
  beforeEach(async () => {
    await events.empty();
    await events.owner.query(
      'TRUNCATE events.topics, events.subscriptions, events.subscription_requests CASCADE',
    );
    await events.owner.query('DELETE FROM auth.users WHERE email = $1', [EMAIL]);
    topics = [uuid(), uuid()];
    await events.owner.query(
      `INSERT INTO events.topics (id, slug, name, place)
       SELECT id, 'topic-' || n, 'Topic ' || n, n FROM unnest($1::uuid[]) WITH ORDINALITY AS given(id, n)`,
      [topics],
    );
  });

  const mailed = async () => (await events.outbox(SubscriptionConfirmMail)).map(({ requestId }) => requestId);
  const confirm = (requestId: string) => controller.confirm({ requestId });
  const ask = async (given: Partial<SubscriptionRequest> = { digest: true }, email = EMAIL) => {
    await controller.request({ email, ...given });
    return (await mailed()).at(-1)!;
  };
  const subscriptions = () =>
    events.rows(
      `SELECT email, announcements, digest, (SELECT count(*)::integer FROM events.subscription_topics
         WHERE subscription_id = id) AS topics FROM events.subscriptions`,
    );
  const account = (emailVerifiedAt: Date | null = new Date()) =>
    insertUser(events.owner, { email: EMAIL, emailVerifiedAt });
  const followed = (userId: string) => events.get(TopicsService).listFollowed({}, createCall(userId));

  it('stores a subscription and each addition to it only after a confirmation', async () => {
    const requestId = await ask({ topics: [topics[0]!] });
    expect(await subscriptions()).toEqual([]);
    for (let times = 0; times < 2; times += 1) await confirm(requestId);
    const one = { email: EMAIL, announcements: true, digest: false, topics: 1 };
    expect(await subscriptions()).toEqual([one]);
    const second = await ask({ topics, digest: true });
    expect(await subscriptions()).toEqual([one]);
    await confirm(second);
    expect(await subscriptions()).toEqual([{ ...one, digest: true, topics: 2 }]);
    await confirm(await ask({ topics }));
    expect(await subscriptions()).toEqual([{ ...one, digest: true, topics: 2 }]);
  });

  it('stores the language of a request once the request is confirmed', async () => {
    const spoken = async () => events.rows('SELECT locale FROM events.subscriptions');
    await confirm(await ask());
    expect(await spoken()).toEqual([{ locale: null }]);
    const inGerman = await ask({ topics, locale: 'de' });
    expect(await spoken()).toEqual([{ locale: null }]);
    await confirm(inGerman);
    expect(await spoken()).toEqual([{ locale: 'de' }]);
    for (const table of ['subscriptions', 'subscription_requests'])
      await expect(
        events.owner.query(`UPDATE events.${table} SET locale = 'Not a language'`),
      ).rejects.toMatchObject({ constraint: `${table}_locale_check` });
  });

  it('always gives the same response and emails a mailbox at most five times', async () => {
    await account();
    const asked = Array.from({ length: 8 }, () => controller.request({ email: EMAIL, digest: true }));
    expect(new Set(await Promise.all(asked))).toEqual(new Set([undefined]));
    expect(await mailed()).toHaveLength(5);
    await ask({ digest: true }, 'someone-else@example.org');
    expect(await mailed()).toHaveLength(6);
    for (let n = 1; n <= 8; n += 1) await ask({ digest: true }, `victim+${n}@example.org`);
    expect(await mailed()).toHaveLength(11);
  });

  it('rejects a request that names no list or only unknown topics', async () => {
    expect(await outcomes([ask({}), ask({ topics: [] }), ask({ topics: [uuid()] })])).toEqual({
      VALIDATION_FAILED: 3,
    });
    expect(await mailed()).toEqual([]);
  });

  it('rejects a confirmation after seven days or with an unknown link', async () => {
    const requestId = await ask();
    await events.owner.query(
      `UPDATE events.subscription_requests SET requested_at = now() - interval '7 days'`,
    );
    expect(await outcomes([confirm(requestId), confirm(uuid())])).toEqual({
      SUBSCRIPTION_LINK_INVALID: 2,
    });
  });

  it.each([
    ['with a verified address', new Date()],
    ['whose address is verified later', null],
  ])('moves a subscription with its topics to an account %s', async (_, emailVerifiedAt) => {
    await confirm(await ask({ topics, digest: true }));
    const user = await account(emailVerifiedAt);
    if (emailVerifiedAt === null) {
      expect(await subscriptions()).toHaveLength(1);
      await updateRow(events.owner, 'auth.users', user.id, { emailVerifiedAt: new Date() });
    }
    expect(await subscriptions()).toEqual([]);
    expect(await followed(user.id)).toHaveLength(2);
  });

  it('moves a subscription to the account that already has the email address', async () => {
    const user = await account();
    await confirm(await ask({ topics }));
    expect(await subscriptions()).toEqual([]);
    expect(await followed(user.id)).toHaveLength(2);
  });

  it('moves a subscription to an account that is created at the same time', async () => {
    for (let times = 0; times < 5; times += 1) {
      const requestId = await ask({ topics });
      const [user] = await Promise.all([account(), confirm(requestId)]);
      expect(await subscriptions()).toEqual([]);
      expect(await followed(user.id)).toHaveLength(2);
      await events.deleteUser(user.id);
    }
  });

  it('deletes unconfirmed requests when the account with their email address is deleted', async () => {
    const user = await account();
    await ask({ topics });
    await events.deleteUser(user.id);
    expect(await events.rows('SELECT id FROM events.subscription_requests')).toEqual([]);
  });

  it('stops and resumes a subscription for each list', async () => {
    await confirm(await ask({ topics, digest: true }));
    const { id: subscriptionId } = await events.row('SELECT id FROM events.subscriptions');
    const state = async () => {
      const of = async (list: VisitorList) =>
        (await controller.findList({ subscriptionId, list }))?.subscribed;
      return [await of('announcements'), await of('digest')];
    };
    await controller.setList({ subscriptionId, list: 'digest', subscribed: false });
    expect(await state()).toEqual([true, false]);
    await controller.setList({ subscriptionId, list: 'announcements', subscribed: false });
    await controller.setList({ subscriptionId, list: 'digest', subscribed: true });
    expect(await state()).toEqual([false, true]);
    expect(await controller.findList({ subscriptionId: uuid(), list: 'digest' })).toBeNull();
  });
});
