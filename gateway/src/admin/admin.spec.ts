import {
  AccountDeleted,
  ChangeSettings,
  type ChangeSettingsRequest,
  type CommunitySettings,
  DomainError,
  GetCommunityPicture,
  GetSettings,
  ListSettingsVersions,
  RemoveAccount,
  type Settings,
  StoreCommunityPicture,
  SummariseAccounts,
  SummariseEvents,
} from '@meetmark/contracts';
import { CommunityFollower, loadCommunity } from '@meetmark/platform';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { createPng, withPicture } from '@meetmark/testing/factories/pictures';
import type { ApiClient } from '@meetmark/testing/http-client';
import { AdminSecondFactorRule } from '../http/admin-second-factor.js';
import { gatewayForTests } from '../testing/open-test-gateway.js';

const ID = '0197f000-0000-7000-8000-000000000001';
const asked: string[] = [];
/** Errors with which the next calls of auth and events fail. */
const failures: Record<'auth' | 'events', DomainError[]> = { auth: [], events: [] };
const note = (name: string, service: keyof typeof failures) => {
  asked.push(name);
  const failure = failures[service].shift();
  if (failure) throw failure;
};
let owner: ApiClient;
let ownerId: string;
let settings: CommunitySettings;
const sent: ChangeSettingsRequest[] = [];
const stored = new Map<string, string>();
const present = (): Settings => ({
  ...{ version: sent.length + 1, settings, locked: ['currency'], changedBy: null, changedAt: null },
});
const stack = gatewayForTests({
  auth: scenes(
    played(RemoveAccount, ({ userId }, { identity }) => note(`remove ${userId} as ${identity?.sub}`, 'auth')),
    played(SummariseAccounts, () => {
      note('accounts', 'auth');
      return { total: 40, createdLast30Days: 4 };
    }),
  ),
  events: scenes(
    played(AccountDeleted, (_, { identity }) => note(`tell as ${identity?.sub}`, 'events')),
    played(SummariseEvents, () => {
      note('events', 'events');
      return { total: 24, createdLast30Days: 6, upcoming: 9, nextEvents: [] };
    }),
  ),
  admin: scenes(
    played(GetSettings, present),
    played(ChangeSettings, (request) => {
      sent.push(request);
      settings = { ...settings, ...JSON.parse(JSON.stringify(request.changes)) };
      return present();
    }),
    played(ListSettingsVersions, () => []),
    played(StoreCommunityPicture, ({ picture }) => void stored.set(picture.hash, picture.base64)),
    played(GetCommunityPicture, ({ hash }) => ({ base64: stored.get(hash)! })),
  ),
});
beforeAll(async () => {
  settings = { ...loadCommunity(stack.config.communityConfig) };
  const { browser, user } = await stack.signedIn({ isAdmin: true });
  [owner, ownerId] = [browser, user.id];
});
beforeEach(() => {
  for (const list of [asked, sent, failures.auth, failures.events]) list.length = 0;
});

describe('DELETE /api/admin/users/:id', () => {
  const remove = () => owner.delete<{ code: string }>(`/api/admin/users/${ID}`);
  const removed = () => `remove ${ID} as ${ownerId}`;
  const told = () => `tell as ${ownerId}`;

  it.each([
    [204, 'deletes an account and then notifies the events service', {}],
    [
      204,
      'deletes an account even when the events service cannot be notified',
      { events: 'SERVICE_UNAVAILABLE' },
    ],
    [503, 'notifies the events service even when the deletion times out', { auth: 'DEADLINE_EXCEEDED' }],
  ] as const)('returns %i and %s', async (status, _, errors) => {
    for (const [service, code] of Object.entries(errors))
      failures[service as keyof typeof failures].push(new DomainError(code));
    expect((await remove()).status).toBe(status);
    expect(asked).toEqual([removed(), told()]);
  });

  it('fails without notifying the events service when auth refuses it', async () => {
    failures.auth.push(new DomainError('OWN_ACCOUNT'));
    expect((await remove()).body.code).toBe('OWN_ACCOUNT');
    expect(asked).toEqual([removed()]);
  });
});

describe('GET /api/admin/summary', () => {
  it('combines the figures from auth and events, and retries only the unavailable service', async () => {
    failures.events.push(new DomainError('SERVICE_UNAVAILABLE'));
    const reply = await owner.get('/api/admin/summary');
    expect(reply.text).toBe(
      '{"totalEvents":24,"eventsThisMonth":6,"upcomingEvents":9,"nextEvents":[],"totalUsers":40,"newUsers":4}',
    );
    expect(asked.toSorted()).toEqual(['accounts', 'events', 'events']);
  });
});

/** Uses a fake admin service, but the real image decoder. */
describe('the settings API', () => {
  it('forwards only the submitted settings and the version they are based on', async () => {
    const { status, body } = await owner.put('/api/admin/settings', { name: ' Rust Porto ', version: 1 });
    expect([status, body]).toMatchObject([200, { settings: { name: 'Rust Porto' }, locked: ['currency'] }]);
    expect(JSON.parse(JSON.stringify(sent))).toEqual([{ changes: { name: 'Rust Porto' }, version: 1 }]);
  });

  it('shows the second-factor setting as locked when the operator requires it', async () => {
    const { browser, user } = await stack.signedIn({ isAdmin: true });
    stack.users.set(user.id, { user: { ...user, hasSecondFactor: true }, epoch: 1, version: 2 });
    const rule = stack.gateway.app.get(AdminSecondFactorRule);
    Object.assign(rule, { isFixed: true });
    try {
      const fixed = {
        settings: { adminSecondFactorRequired: true },
        locked: ['currency', 'adminSecondFactorRequired'],
      };
      expect((await browser.get('/api/admin/settings')).body).toMatchObject(fixed);
      const changed = await browser.put('/api/admin/settings', { name: 'Rust Porto' });
      expect(changed.body).toMatchObject(fixed);
      expect(sent.map(({ changes }) => changes)).toEqual([{ name: 'Rust Porto' }]);
    } finally {
      Object.assign(rule, { isFixed: false });
    }
  });

  it.each<[object, string]>([
    [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
    [{ sponsors: [{ name: 'A', logoUrl: 'x', url: 'https://a.example' }] }, 'sponsors[0].logoUrl'],
    [{ heroUrl: '/covers/missing.webp' }, 'heroUrl'],
  ])('rejects an invalid setting and names the field: %#', async (body, field) => {
    const reply = await owner.put<{ details: { fields: object } }>('/api/admin/settings', body);
    expect([reply.status, Object.keys(reply.body.details.fields)]).toEqual([400, [field]]);
    expect(sent).toEqual([]);
  });

  it('rejects settings that fail a trial run, without forwarding them', async () => {
    await stack.gateway.app.get(CommunityFollower).addTrial(({ name }) => {
      if (name === 'Unprintable') throw new Error('cannot be printed');
    });
    const unprintable = { ...settings, name: 'Unprintable' };
    const file = { format: 'meetmark-settings-1', settings: unprintable };
    for (const reply of [
      await owner.put('/api/admin/settings', { name: 'Unprintable' }),
      await owner.post('/api/admin/settings/import', file),
    ])
      expect([reply.status, reply.body]).toMatchObject([400, { code: 'SETTINGS_UNUSABLE' }]);
    expect(sent).toEqual([]);
  });

  it('previews the palettes of brand colours and rejects invalid colours', async () => {
    const palettes = (colours: Record<string, string>) =>
      owner.get(`/api/admin/settings/palettes?${String(new URLSearchParams(colours))}`);
    const [brandColour, secondColour] = ['#8a1c4a', '#1fb5a8'];
    const body = { light: { fill: '#8a1c4a' }, both: { deepFirst: '#1fb5a8' } };
    expect(await palettes({ brandColour, secondColour })).toMatchObject({ status: 200, body });
    expect((await palettes({ brandColour: '', secondColour })).status).toBe(200);
    expect((await palettes({ brandColour: 'red' })).status).toBe(400);
    expect((await palettes({ brandColour, secondColour: 'red;}' })).status).toBe(400);
  });

  it('stores uploaded images and imports the settings that it exported', async () => {
    const logoUrl = withPicture(createPng(40, 20));
    const sponsors = [
      { name: 'Ponte', logoUrl, url: 'https://ponte.example' },
      { name: 'Rio', logoUrl: '/sponsors/tandem.svg', url: 'https://rio.example' },
    ];
    const changed = await owner.put<Settings>('/api/admin/settings', { logoUrl, sponsors });
    expect(changed.status).toBe(200);
    const [hash] = stored.keys();
    const address = `/media/community/${hash}.webp`;
    expect(changed.body.settings).toMatchObject({
      logoUrl: address,
      sponsors: [{ logoUrl: address }, { logoUrl: '/sponsors/tandem.svg' }],
    });
    expect((await stack.browser().get(address)).headers.get('content-type')).toBe('image/webp');

    const heroUrl = withPicture(createPng(64, 32));
    expect((await owner.put('/api/admin/settings', { heroUrl, signInButton: true })).status).toBe(200);
    const hero = [...stored.keys()].find((key) => key !== hash)!;
    const heroPath = `/media/community/${hero}.webp`;
    expect(sent.at(-1)?.changes).toMatchObject({ heroUrl: heroPath, signInButton: true });

    const exported = await owner.get<{ settings: CommunitySettings }>('/api/admin/settings/export');
    expect(exported.headers.get('content-disposition')).toContain('settings.json');
    expect(exported.body.settings).toMatchObject({
      ...{ logoUrl: `data:image/webp;base64,${stored.get(hash!)}`, signInButton: true },
      heroUrl: `data:image/webp;base64,${stored.get(hero)}`,
    });
    sent.length = 0;
    const imported = await owner.post<Settings>('/api/admin/settings/import', exported.body);
    expect(imported.status).toBe(200);
    expect(sent[0]?.changes).toMatchObject({ name: settings.name, logoUrl: address });

    const wrong = [{}, { ...exported.body, format: 'other' }, { ...exported.body, settings: { name: 'x' } }];
    for (const file of wrong) expect((await owner.post('/api/admin/settings/import', file)).status).toBe(400);
    const svg = withPicture(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml');
    expect((await owner.put('/api/admin/settings', { logoUrl: svg })).status).toBe(415);
  });
});
