import {
  ChangeSettings,
  type ChangeSettingsRequest,
  type CommunitySettings,
  GetCommunityPicture,
  GetSettings,
  ListSettingsVersions,
  type Settings,
  StoreCommunityPicture,
} from '@meetmark/contracts';
import { CommunityFollower, loadCommunity } from '@meetmark/platform';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { createPng } from '@meetmark/testing/factories/pictures';
import { ApiClient } from '@meetmark/testing/http-client';
import { gatewayForTests, growOld, PASSWORD } from '../testing/open-test-gateway.js';

/** Uses a fake admin service, but the real image decoder. */
describe('the settings API', () => {
  let owner: ApiClient;
  let settings: CommunitySettings;
  const sent: ChangeSettingsRequest[] = [];
  const stored = new Map<string, string>();
  const present = (): Settings => ({
    ...{ version: sent.length + 1, settings, locked: ['currency'], changedBy: null, changedAt: null },
  });
  const stack = gatewayForTests({
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
    ({ browser: owner } = await stack.signedIn({ isAdmin: true }));
  });
  beforeEach(() => void (sent.length = 0));

  it('forwards only the submitted settings and the version they are based on', async () => {
    const { status, body } = await owner.put('/api/admin/settings', { name: ' Rust Porto ', version: 1 });
    expect([status, body]).toMatchObject([200, { settings: { name: 'Rust Porto' }, locked: ['currency'] }]);
    expect(JSON.parse(JSON.stringify(sent))).toEqual([{ changes: { name: 'Rust Porto' }, version: 1 }]);
  });

  it('shows the second-factor setting as locked when the operator requires it', async () => {
    const strict = await stack.another({ adminSecondFactor: 'required' });
    const { browser, user } = await stack.signedIn({ isAdmin: true });
    const there = new ApiClient(strict.url, {});
    await there.post('/api/login', { email: user.email, password: PASSWORD });
    stack.users.set(user.id, { user: { ...user, hasSecondFactor: true }, epoch: 1, version: 2 });
    const shown = async (client: ApiClient) => (await client.get<Settings>('/api/admin/settings')).body;
    expect(await shown(browser)).toMatchObject({
      settings: { adminSecondFactorRequired: false },
      locked: ['currency'],
    });
    const fixed = {
      settings: { adminSecondFactorRequired: true },
      locked: ['currency', 'adminSecondFactorRequired'],
    };
    expect(await shown(there)).toMatchObject(fixed);
    expect((await there.put('/api/admin/settings', { name: 'Rust Porto' })).body).toMatchObject(fixed);
    expect(sent.map(({ changes }) => changes)).toEqual([{ name: 'Rust Porto' }]);
  });

  it.each<[object, string]>([
    [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
    [{ sponsors: [{ name: 'A', logoUrl: 'x', url: 'https://a.example' }] }, 'sponsors[0].logoUrl'],
    [{ logoUrl: '/sponsors/missing.svg' }, 'logoUrl'],
    [{ heroUrl: '/covers/missing.webp' }, 'heroUrl'],
    [{ colour: '#8a1c4a' }, 'colour'],
    [{ name: null }, 'name'],
  ])('rejects an invalid setting and names the field: %#', async (body, field) => {
    const reply = await owner.put<{ details: { fields: object } }>('/api/admin/settings', body);
    expect([reply.status, Object.keys(reply.body.details.fields)]).toEqual([400, [field]]);
    expect(sent).toEqual([]);
  });

  it.each([
    ['a change', (browser: ApiClient) => browser.put('/api/admin/settings', { terms: 'Be kind' })],
    ['an import', (browser: ApiClient) => browser.post('/api/admin/settings/import', {})],
  ])('requires a fresh sign-in for %s of the settings', async (_, ask) => {
    const { browser, user } = await stack.signedIn({ isAdmin: true });
    await growOld(stack, user, 'sensitive');
    const reply = await ask(browser);
    expect([reply.status, reply.body]).toMatchObject([403, { code: 'FRESH_SIGN_IN_REQUIRED' }]);
    expect(sent).toEqual([]);
  });

  it('rejects settings that fail a trial run, without forwarding them', async () => {
    await stack.gateway.app.get(CommunityFollower).addTrial(({ name }) => {
      if (name === 'Unprintable') throw new Error('cannot be printed');
    });
    for (const reply of [
      await owner.put('/api/admin/settings', { name: 'Unprintable' }),
      await owner.post('/api/admin/settings/import', {
        format: 'meetmark-settings-1',
        settings: { ...settings, name: 'Unprintable' },
      }),
    ])
      expect([reply.status, reply.body]).toMatchObject([400, { code: 'SETTINGS_UNUSABLE' }]);
    expect(sent).toEqual([]);
  });

  it('previews the palettes of brand colours and rejects invalid colours', async () => {
    const palettes = (brandColour: string, more = {}) =>
      owner.get(`/api/admin/settings/palettes?${String(new URLSearchParams({ brandColour, ...more }))}`);
    expect(await palettes('#8a1c4a')).toMatchObject({
      status: 200,
      body: {
        light: { primary: '#8a1c4a', fill: '#8a1c4a', onFill: '#ffffff' },
        dark: { primary: expect.stringMatching(/^#/) },
        both: { deep: expect.stringMatching(/^#/), covers: expect.any(Array) },
      },
    });
    const second = { secondColour: '#1fb5a8' };
    expect(await palettes('#8a1c4a', second)).toMatchObject({
      status: 200,
      body: { light: { fill: '#8a1c4a' }, both: { deepFirst: '#1fb5a8' } },
    });
    expect((await palettes('', second)).status).toBe(200);
    for (const wrong of [await palettes('red'), await palettes('#8a1c4a', { secondColour: 'red;}' })])
      expect(wrong.status).toBe(400);
  });

  it('stores uploaded images and imports the settings that it exported', async () => {
    const logoUrl = `data:image/png;base64,${createPng(40, 20).toString('base64')}`;
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

    const heroUrl = `data:image/png;base64,${createPng(64, 32).toString('base64')}`;
    expect((await owner.put('/api/admin/settings', { heroUrl, signInButton: true })).status).toBe(200);
    const hero = [...stored.keys()].find((key) => key !== hash)!;
    expect(sent.at(-1)?.changes).toMatchObject({
      heroUrl: `/media/community/${hero}.webp`,
      signInButton: true,
    });

    const exported = await owner.get<{ format: string; settings: CommunitySettings }>(
      '/api/admin/settings/export',
    );
    expect(exported.headers.get('content-disposition')).toContain('settings.json');
    expect(exported.body.settings).toMatchObject({
      logoUrl: `data:image/webp;base64,${stored.get(hash!)}`,
      heroUrl: `data:image/webp;base64,${stored.get(hero)}`,
      signInButton: true,
    });
    sent.length = 0;
    const imported = await owner.post<Settings>('/api/admin/settings/import', exported.body);
    expect(imported.status).toBe(200);
    expect(sent[0]?.changes).toMatchObject({
      name: settings.name,
      logoUrl: expect.stringContaining('/media/'),
    });

    for (const file of [
      {},
      { ...exported.body, format: 'other' },
      { ...exported.body, settings: { name: 'x' } },
    ])
      expect((await owner.post('/api/admin/settings/import', file)).status).toBe(400);
    const svg = `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')}`;
    expect((await owner.put('/api/admin/settings', { logoUrl: svg })).status).toBe(415);
  });
});
