import { createHash, randomUUID } from 'node:crypto';
import { cpSync, writeFileSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  ChangeSettings,
  type CommunitySettings,
  GetCommunityPicture,
  DEADLINES,
  GetSettings,
  GetSystemStatus,
  type Identity,
  ListAudit,
  ListSettingsVersions,
  type Message,
  FRESH_SIGN_IN,
  StoreCommunityPicture,
} from '@meetmark/contracts';
import { CommunityFollower, DatabaseListener } from '@meetmark/platform';
import { SilentProxy } from '@meetmark/platform/testing/silent-proxy';
import { openCaller, type TestCaller } from '@meetmark/platform/testing/open-service';
import { serve } from '@meetmark/platform/testing/test-service';
import { until } from '@meetmark/testing';
import { jest } from '@jest/globals';
import { insertSettings } from '@meetmark/testing/factories/settings';
import { insertAdministrator } from '@meetmark/testing/factories/users';
import { AdminConfig } from '../admin.config.js';
import { AdminModule } from '../admin.module.js';
import { COMMUNITY, openAdminStores, type AdminStores } from '../testing/open-admin.js';

describe('the community settings', () => {
  const shipped = JSON.parse(readFileSync(COMMUNITY, 'utf8')) as CommunitySettings;
  const path = join(mkdtempSync(join(tmpdir(), 'settings-')), 'community.json');
  let stores: AdminStores;
  let caller: TestCaller;
  const running: { stop(): Promise<void> }[] = [];
  const owner: Identity = { sub: randomUUID(), isAdmin: true, epoch: 1, confirmedAt: Date.now() };
  beforeAll(async () => {
    writeFileSync(path, JSON.stringify({ ...shipped, locked: ['currency', 'timeZone'] }));
    cpSync(join(dirname(COMMUNITY), 'public'), join(dirname(path), 'public'), { recursive: true });
    stores = await openAdminStores();
    Object.assign(stores.config, { communityConfig: path, databasePoolSize: 2 });
    running.push(
      await serve({ name: 'admin', module: AdminModule, config: AdminConfig }, stores.config),
      await serve({ name: 'admin', module: AdminModule, config: AdminConfig }, stores.config),
    );
    caller = await openCaller(stores.config);
    await insertAdministrator(stores.owner, { id: owner.sub, firstName: 'Ada', lastName: 'Byron' });
  });
  beforeEach(async () => {
    await stores.owner.query(
      `ALTER TABLE admin.community_settings DISABLE TRIGGER ALL; DELETE FROM admin.community_settings;
       ALTER TABLE admin.community_settings ENABLE TRIGGER ALL; DELETE FROM admin.pictures`,
    );
  });
  afterAll(async () => {
    caller.close();
    await Promise.all(running.map((service) => service.stop()));
    await stores.close();
  });

  const send = <Req extends object, Res>(message: Message<Req, Res>, request: Req, identity = owner) =>
    caller.rpc.call(message, request, { identity });
  const change = (changes: Partial<CommunitySettings>, version?: number) =>
    send(ChangeSettings, { changes, version });

  it('come from the file until they are changed', async () => {
    const settings = await send(GetSettings, {});
    expect(settings).toMatchObject({
      version: 1,
      settings: { name: shipped.name, weekStart: 'locale', terms: shipped.terms },
      locked: ['currency', 'timeZone'],
      changedBy: null,
      changedAt: null,
    });
  });

  it('store a change as a new version and keep omitted fields', async () => {
    const changed = await change({ name: 'Rust Porto', brandColour: '#8a1c4a', terms: 'x'.repeat(300) }, 1);
    expect(changed).toMatchObject({
      version: 2,
      settings: { name: 'Rust Porto', brandColour: '#8a1c4a', tagline: shipped.tagline },
      changedBy: 'Ada Byron',
      changedAt: expect.any(String),
    });
    expect(await send(GetSettings, {})).toEqual(changed);
    const [version, ...others] = await send(ListSettingsVersions, {});
    expect(others).toEqual([]);
    expect(version).toMatchObject({
      version: 2,
      changedBy: 'Ada Byron',
      changes: [
        { name: 'name', before: shipped.name, after: 'Rust Porto' },
        { name: 'brandColour', before: null, after: '#8a1c4a' },
        { name: 'terms', before: `${shipped.terms!.slice(0, 199)}…`, after: `${'x'.repeat(199)}…` },
      ],
    });
    const { items } = await send(ListAudit, { action: 'settings.changed' });
    expect(items[0]).toMatchObject({
      actorName: 'Ada Byron',
      subjectName: null,
      changed: ['name', 'brandColour', 'terms'],
    });
    expect(await change({ name: 'Rust Porto', sponsors: shipped.sponsors }, 1)).toMatchObject({ version: 2 });
  });

  it('refuse a change of an outdated version and list the newer edits', async () => {
    await change({ name: 'One' }, 1);
    await expect(change({ tagline: 'Two' }, 1)).rejects.toMatchObject({
      code: 'EDIT_CONFLICT',
      details: {
        present: { version: 2, settings: { name: 'One' } },
        edits: [{ by: 'Ada Byron', own: true, changed: ['name'] }],
      },
    });
    expect(await change({ tagline: 'Two' }, 2)).toMatchObject({
      version: 3,
      settings: { name: 'One', tagline: 'Two' },
    });
    expect(await change({ tagline: 'Three' })).toMatchObject({ version: 4 });
  });

  it('accept only one of ten simultaneous changes of the same version', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, number) => change({ name: `Name ${number}` }, 1)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await send(GetSettings, {})).version).toBe(2);
  });

  it('merge simultaneous changes of two fields if no version is given', async () => {
    const names = ['One', 'Two', 'Three'];
    await Promise.all([
      ...names.map((name) => change({ name })),
      ...names.map((headline) => change({ headline })),
    ]);
    const { version, settings } = await send(GetSettings, {});
    expect([version, names.includes(settings.name), names.includes(settings.headline)]).toEqual([
      ...[7, true, true],
    ]);
  });

  it('require a fresh sign-in for changes of settings and images', async () => {
    const confirmedAt = Date.now() - FRESH_SIGN_IN.sensitive - DEADLINES.gateway - 1_000;
    const picture = { hash: 'b'.repeat(64), base64: 'AAAA', width: 1, height: 1 };
    const known = { ...owner, confirmedAt };
    await expect(send(ChangeSettings, { changes: { name: 'One' } }, known)).rejects.toMatchObject({
      code: 'FRESH_SIGN_IN_REQUIRED',
    });
    await expect(send(StoreCommunityPicture, { picture }, known)).rejects.toMatchObject({
      code: 'FRESH_SIGN_IN_REQUIRED',
    });
    expect((await send(GetSettings, {}, known)).version).toBe(1);
  });

  it('omit and report unusable stored values until someone replaces them', async () => {
    const [first, second] = shipped.sponsors;
    const broken = { ...second!, logoUrl: 'https://cdn;example.org/x.png' };
    const stored = {
      ...{ name: 'Rust Porto', logoUrl: 'https://cdn,example.org/logo.png', sponsors: [first, broken] },
      ...{ locale: 'not a locale', brandColour: '#ffee', secondColour: 'red', font: 'of another version' },
      // Values from a version with more languages, forms of address and patterns.
      ...{ languages: ['pt', 'de'], formOfAddress: 'solemn', heroPattern: 9 },
    };
    await insertSettings(stores.owner, stored as unknown as Partial<CommunitySettings>);
    const leftOut = [
      { name: 'logoUrl', sponsor: null, value: stored.logoUrl },
      { name: 'sponsors', sponsor: second!.name, value: broken.logoUrl },
      { name: 'brandColour', sponsor: null, value: '#ffee' },
      { name: 'secondColour', sponsor: null, value: 'red' },
      { name: 'font', sponsor: null, value: 'of another version' },
      { name: 'heroPattern', sponsor: null, value: '9' },
      { name: 'locale', sponsor: null, value: 'not a locale' },
      { name: 'languages', sponsor: null, value: '["pt","de"]' },
      { name: 'formOfAddress', sponsor: null, value: 'solemn' },
    ];
    const { settings } = await send(GetSettings, {});
    expect(settings).toMatchObject({ name: 'Rust Porto', logoUrl: null, sponsors: [first] });
    expect(settings).toMatchObject({
      locale: shipped.locale,
      brandColour: null,
      secondColour: null,
      font: null,
      heroPattern: null,
      languages: null,
      formOfAddress: 'formal',
    });
    expect((await send(GetSystemStatus, {})).leftOutSettings).toEqual(leftOut);
    const follower = new CommunityFollower(stores.config, stores.dataSource);
    await follower.look();
    expect(follower.community).toMatchObject(settings);

    await change({ tagline: 'Another' });
    expect((await send(GetSystemStatus, {})).leftOutSettings).toEqual(leftOut);
    await change({ logoUrl: 'https://cdn.example.org/logo.png', sponsors: [], locale: 'de' });
    expect((await send(GetSystemStatus, {})).leftOutSettings).toEqual([
      ...leftOut.slice(2, 6),
      ...leftOut.slice(7),
    ]);
  });

  it('stay at the previous version if a process cannot use the new one', async () => {
    const follower = new CommunityFollower(stores.config, stores.dataSource);
    await follower.addTrial(({ name }) => {
      if (name === 'Unprintable') throw new Error('cannot be printed');
    });
    await insertSettings(stores.owner, { name: 'Rust Porto' });
    await follower.look();
    await insertSettings(stores.owner, { name: 'Unprintable' });
    await follower.look();
    expect(follower.community).toMatchObject({ name: 'Rust Porto', settingsVersion: 2 });
    await expect(follower.tryOut({ ...follower.community, name: 'Unprintable' })).rejects.toMatchObject({
      code: 'SETTINGS_UNUSABLE',
    });
    await insertSettings(stores.owner, { name: 'Mended' });
    await follower.look();
    expect(follower.community).toMatchObject({ name: 'Mended', settingsVersion: 4 });
    await follower.addTrial(({ name }) => {
      if (name === 'Mended') throw new Error('cannot be printed');
    });
    expect(follower.community.name).toBe(shipped.name);
  });

  it('keep the file’s values for locked fields', async () => {
    await expect(
      change({ name: 'Rust Porto', currency: 'EUR', timeZone: 'Europe/Lisbon' }),
    ).rejects.toMatchObject({
      code: 'SETTING_LOCKED',
      details: { locked: ['currency', 'timeZone'] },
    });
    expect(await send(GetSettings, {})).toMatchObject({ version: 1, settings: { name: shipped.name } });
    expect(await change({ name: 'Rust Porto', currency: shipped.currency })).toMatchObject({ version: 2 });
    await stores.owner.query(
      `INSERT INTO admin.community_settings (version, settings, changed_by)
       SELECT 3, settings || '{"currency": "EUR"}', $1 FROM admin.community`,
      [owner.sub],
    );
    expect((await send(GetSettings, {})).settings.currency).toBe(shipped.currency);
  });

  // The gateway checks these fields before the service does. It reports them without `changes.`.
  it.each<[Partial<CommunitySettings>, string, RegExp]>([
    [{ timeZone: 'Mars/Olympus' }, 'changes.timeZone', /IANA name/],
    [{ locale: 'not a locale' }, 'changes.locale', /language tag/],
    [{ currency: 'POUNDS' }, 'changes.currency', /currency/],
    [{ brandColour: 'red' }, 'changes.brandColour', /colour such as/],
    [{ secondColour: 'red;}' }, 'changes.secondColour', /colour such as/],
    [{ secondColour: '#abc' }, 'changes.secondColour', /colour such as/],
    [{ font: '../../x' as 'lora' }, 'changes.font', /one of/],
    [{ heroPattern: 0 }, 'changes.heroPattern', /at least 1/],
    [{ heroPattern: 1.5 }, 'changes.heroPattern', /whole number/],
    [{ name: '' }, 'changes.name', /./],
    [{ supportEmail: 'nobody' }, 'changes.supportEmail', /email/],
    [{ weekStart: 'friday' as 'monday' }, 'changes.weekStart', /one of/],
    [{ languages: ['pt' as 'de'] }, 'changes.languages', /list of/],
    [{ privacy: 'x'.repeat(20_001) }, 'changes.privacy', /20000/],
    [
      { sponsors: [{ name: 'A', logoUrl: 'javascript:alert(1)', url: 'https://a.example' }] },
      'changes.sponsors[0].logoUrl',
      /path/,
    ],
    [{ timeZone: '+05:00' }, 'changes.timeZone', /IANA name/],
    [{ font: 'constructor' as 'lora' }, 'changes.font', /one of/],
    [{ heroPattern: 9 }, 'changes.heroPattern', /at most 8/],
    [{ heroPattern: 'waves' as never }, 'changes.heroPattern', /whole number/],
    [{ signInButton: 'yes' as never }, 'changes.signInButton', /./],
    [
      {
        sponsors: Array(13).fill({ name: 'A', logoUrl: 'https://a.example/a.svg', url: 'https://a.example' }),
      },
      'changes.sponsors',
      /12/,
    ],
    [{ logoUrl: `/media/community/${'a'.repeat(64)}.webp` }, 'logoUrl', /not an image that is stored/],
    [{ logoUrl: '/sponsors/missing.svg' }, 'logoUrl', /not an image that is stored/],
    [{ logoUrl: '/media/community/../avatars/x.webp' }, 'changes.logoUrl', /path of an image/],
    [{ logoUrl: '/api/logout' }, 'changes.logoUrl', /path of an image/],
    [{ heroUrl: `/media/community/${'a'.repeat(64)}.webp` }, 'heroUrl', /not an image that is stored/],
    [{ heroUrl: '/api/logout' }, 'changes.heroUrl', /path of an image/],
    [{ heroUrl: 'https://*/x' }, 'changes.heroUrl', /https URL/],
    [{ logoUrl: 'https://cdn,example.org/logo.png' }, 'changes.logoUrl', /https URL/],
    [{ logoUrl: 'https://*/x' }, 'changes.logoUrl', /https URL/],
  ])('refuse an invalid value and name its field: %#', async (changes, field, reason) => {
    await expect(
      change(changes).catch((error: { code: string; details: { fields: Record<string, string[]> } }) => [
        error.code,
        error.details.fields[field]?.join(),
      ]),
    ).resolves.toEqual(['VALIDATION_FAILED', expect.stringMatching(reason)]);
  });

  it('accept a stored image as the logo', async () => {
    const bytes = Buffer.from('a picture');
    const hash = createHash('sha256').update(bytes).digest('hex');
    const picture = { hash, base64: bytes.toString('base64'), width: 1, height: 1 };
    await send(StoreCommunityPicture, { picture });
    expect(await send(GetCommunityPicture, { hash })).toEqual({ base64: picture.base64 });
    const logoUrl = `/media/community/${hash}.webp`;
    expect((await change({ logoUrl })).settings.logoUrl).toBe(logoUrl);
    await expect(
      send(StoreCommunityPicture, { picture: { ...picture, hash: 'b'.repeat(64) } }),
    ).rejects.toMatchObject({ code: 'PICTURE_BROKEN' });
  });

  it('are protected in the database from edits, deletions and skipped versions', async () => {
    await change({ name: 'One' });
    const asAdmin = (statement: string) => stores.dataSource.query(statement);
    await expect(asAdmin(`UPDATE admin.community_settings SET settings = '{}'`)).rejects.toMatchObject({
      code: '42501',
    });
    await expect(asAdmin('DELETE FROM admin.community_settings')).rejects.toMatchObject({ code: '42501' });
    await expect(
      stores.owner.query(`UPDATE admin.community_settings SET settings = '{}'`),
    ).rejects.toMatchObject({ code: '42501' });
    await expect(
      asAdmin(
        `INSERT INTO admin.community_settings (version, settings, changed_by) VALUES (4, '{}', '${owner.sub}')`,
      ),
    ).rejects.toMatchObject({ code: '23505' });
  });

  it('reach followers within 5 seconds and stay available if the database fails', async () => {
    const deaf = new DatabaseListener(stores.config, 'deaf');
    const follower = await new CommunityFollower(stores.config, stores.dataSource).follow(deaf);
    expect(follower.community).toMatchObject({ name: shipped.name, settingsVersion: 1 });
    await change({ name: 'Rust Porto', brandColour: '#8a1c4a', terms: 'Be kind' });
    const since = Date.now();
    while (follower.community.name !== 'Rust Porto' && Date.now() - since < 5_000)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(follower.community).toMatchObject({
      name: 'Rust Porto',
      brandPalettes: { light: { primary: '#8a1c4a' } },
      legalPages: ['terms', 'privacy'],
    });
    await stores.owner.query('ALTER VIEW admin.community RENAME TO elsewhere');
    await follower.look();
    expect(follower.community.name).toBe('Rust Porto');
    const started = await new CommunityFollower(stores.config, stores.dataSource).follow(deaf);
    expect(started.community.name).toBe(shipped.name);
    await stores.owner.query('ALTER VIEW admin.elsewhere RENAME TO community');
    await started.look();
    expect(started.community.name).toBe('Rust Porto');
    follower.onApplicationShutdown();
    started.onApplicationShutdown();
  });

  describe('followed through a database listener', () => {
    const [SOON, NEVER] = [500, 3_600_000];
    const PROMISED = 5_000;
    let proxy: SilentProxy;
    let listener: DatabaseListener;
    let follower: CommunityFollower;
    beforeEach(async () => {
      proxy = await SilentProxy.before(stores.config.databaseUrl);
      listener = new DatabaseListener({ databaseUrl: proxy.url }, 'listens');
      follower = new CommunityFollower(stores.config, stores.dataSource);
    });
    afterEach(async () => {
      follower.onApplicationShutdown();
      listener.onApplicationShutdown();
      await proxy.close();
    });

    const follow = async (looks: { deaf: number; hearing: number }) => {
      await follower.follow(listener, looks);
      const looked = jest.spyOn(follower, 'look');
      listener.onApplicationBootstrap();
      await until('the connection', PROMISED, async () => listener.isListening);
      await looked.mock.results[0]?.value;
      looked.mockRestore();
    };
    const takesOver = (name: string) => until(name, PROMISED, async () => follower.community.name === name);
    const cut = async () => {
      proxy.leadTo('postgres://127.0.0.1:1');
      await until('the loss of it', PROMISED, async () => !listener.isListening);
    };

    it('are applied after a notification, without polling', async () => {
      await follow({ deaf: NEVER, hearing: NEVER });
      await change({ name: 'Rust Porto' });
      await takesOver('Rust Porto');
    });

    it('are applied by fast polling while the listener is disconnected', async () => {
      await follow({ deaf: SOON, hearing: NEVER });
      await cut();
      await change({ name: 'Rust Porto' });
      await takesOver('Rust Porto');
      expect(listener.isListening).toBe(false);
    });

    it('are applied by slow polling while the connection is silent', async () => {
      await follow({ deaf: NEVER, hearing: SOON });
      proxy.loseOpen();
      await change({ name: 'Rust Porto' });
      await takesOver('Rust Porto');
    });

    it('are applied when the listener reconnects', async () => {
      await follow({ deaf: NEVER, hearing: NEVER });
      await cut();
      await change({ name: 'Rust Porto' });
      proxy.leadTo(stores.config.databaseUrl);
      await takesOver('Rust Porto');
    });
  });
});
