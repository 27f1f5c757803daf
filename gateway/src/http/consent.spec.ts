import { createHash } from 'node:crypto';
import { AcceptLegalPages, type ErrorBody, ListTopics, type User } from '@meetmark/contracts';
import { CommunityFollower, type PresentCommunity } from '@meetmark/platform';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { newcomer } from '@meetmark/testing/factories/samples';
import { ACCESS_TABLE } from '../testing/access-table.js';
import { gatewayForTests } from '../testing/open-test-gateway.js';
import type { ApiClient } from '@meetmark/testing/http-client';

const [TERMS, PRIVACY] = ['Be kind.', 'We keep little.'].map((text) =>
  createHash('sha256').update(text).digest('hex'),
);

/** The only calls of signed-in members that work before they accept. */
const BEFORE_CONSENT = [
  'GET /api/user',
  'POST /api/user/consents',
  'GET /api/user/confirm',
  'POST /api/user/confirm',
  'POST /api/user/export',
  'GET /api/user/export',
  'GET /api/user/export/file',
  'DELETE /api/user',
];

describe('required consent', () => {
  let community: PresentCommunity;
  let signedUpWith: unknown;
  const stack = gatewayForTests({
    signUp: ({ asker }, make) => {
      signedUpWith = asker.legal;
      return make();
    },
    auth: scenes(
      played(AcceptLegalPages, (versions, call) => {
        const { sub } = call.identity!;
        const known = stack.users.get(sub)!;
        stack.users.set(sub, { ...known, accepted: { ...known.accepted, ...versions } });
      }),
    ),
    events: scenes(played(ListTopics, () => [])),
  });
  beforeEach(() => {
    const legalVersions = { terms: TERMS, privacy: PRIVACY };
    ({ community } = stack.gateway.app.get(CommunityFollower));
    Object.assign(community, { legalVersions, termsRequired: true, privacyRequired: true });
  });

  const signIn = async () => {
    const { browser, user } = await stack.signedIn({ isAdmin: true });
    stack.users.set(user.id, { ...stack.users.get(user.id)!, accepted: {} });
    return browser;
  };
  const getCode = ({ body }: { body: unknown }) => (body as ErrorBody).code;
  const fetchNeeded = async (browser: ApiClient) => {
    const { body } = await browser.get('/api/user');
    return (body as User).consentNeeded;
  };
  const accept = (browser: ApiClient, versions: object) => browser.post('/api/user/consents', versions);

  it('closes every call of members until they accept, except a few', async () => {
    const browser = await signIn();
    for (const { method, path, access } of ACCESS_TABLE) {
      if (access === 'public' || BEFORE_CONSENT.includes(`${method} ${path}`)) continue;
      const body = method === 'GET' ? undefined : {};
      const reply = await browser.send(method, path.replaceAll(/:\w+/g, 'x'), body);
      expect([method, path, reply.status, getCode(reply)]).toEqual([method, path, 403, 'CONSENT_REQUIRED']);
    }
    expect((await browser.get('/api/topics')).status).toBe(200);
  });

  it('names the versions to accept, and ends once all are accepted', async () => {
    const browser = await signIn();
    expect(await fetchNeeded(browser)).toEqual({ terms: TERMS, privacy: PRIVACY });
    expect((await accept(browser, { terms: TERMS })).status).toBe(204);
    expect(await fetchNeeded(browser)).toEqual({ privacy: PRIVACY });
    expect((await accept(browser, { privacy: PRIVACY })).status).toBe(204);
    expect((await browser.get('/api/user')).body).not.toHaveProperty('consentNeeded');
    expect(getCode(await browser.get('/api/user/sessions'))).toBeUndefined();
  });

  it('asks for a changed page again', async () => {
    const { browser, user } = await stack.signedIn();
    const accepted = { terms: 'f'.repeat(64), privacy: PRIVACY };
    stack.users.set(user.id, { ...stack.users.get(user.id)!, accepted });
    expect(await fetchNeeded(browser)).toEqual({ terms: TERMS });
  });

  it('concerns only required pages that the community has', async () => {
    const browser = await signIn();
    community.privacyRequired = false;
    expect(await fetchNeeded(browser)).toEqual({ terms: TERMS });
    community.legalVersions = { privacy: PRIVACY };
    expect(await fetchNeeded(browser)).toBeUndefined();
  });

  it('sends the current versions with a sign-up', async () => {
    await stack.browser().post('/api/register', newcomer());
    expect(signedUpWith).toEqual({ terms: TERMS, privacy: PRIVACY });
  });

  it('refuses a version that is no longer current', async () => {
    const browser = await signIn();
    community.legalVersions = { terms: PRIVACY };
    const reply = await accept(browser, { terms: TERMS });
    expect([reply.status, getCode(reply)]).toEqual([409, 'LEGAL_PAGE_CHANGED']);
    expect(getCode(await accept(browser, { terms: 'newest' }))).toBe('VALIDATION_FAILED');
  });
});
