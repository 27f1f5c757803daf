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
  SECOND_FACTOR,
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

/** Over the transport, with a file that locks two settings. */
describe('the settings of the community', () => {
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
    // the smallest pool that a process may have
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

  it('are those of the file until they are changed', async () => {
    const settings = await send(GetSettings, {});
    expect(settings).toMatchObject({
      version: 1,
      settings: { name: shipped.name, weekStart: 'locale', terms: shipped.terms },
      locked: ['currency', 'timeZone'],
      changedBy: null,
      changedAt: null,
    });
  });

  it('change as a new version, which says who changed what from what to what; what is left out stays', async () => {
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
        { name: 'terms', before: `${shipped.terms!.slice(0, 200)}…`, after: `${'x'.repeat(200)}…` },
      ],
    });
    const { items } = await send(ListAudit, { action: 'settings.changed' });
    expect(items[0]).toMatchObject({
      actorName: 'Ada Byron',
      subjectName: null,
      changed: ['name', 'brandColour', 'terms'],
    });
    // nothing new makes no version
    expect(await change({ name: 'Rust Porto', sponsors: shipped.sponsors }, 1)).toMatchObject({ version: 2 });
  });

  it('are not changed from a version that is not the present one: the answer says what was changed since', async () => {
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
    // a client that names no version: the last one wins
    expect(await change({ tagline: 'Three' })).toMatchObject({ version: 4 });
  });

  it('are changed once by ten at the same moment from the same version', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, number) => change({ name: `Name ${number}` }, 1)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await send(GetSettings, {})).version).toBe(2);
  });

  it('are changed by six at the same moment without a version: the last one wins, field by field', async () => {
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

  it('are changed after a fresh sign-in only, pictures too', async () => {
    const confirmedAt = Date.now() - SECOND_FACTOR.freshFor - DEADLINES.gateway - 1_000;
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

  it('that are stored and cannot be used are left out, named, and kept until they are changed', async () => {
    const [first, second] = shipped.sponsors;
    const broken = { ...second!, logoUrl: 'https://cdn;example.org/x.png' };
    const stored = {
      ...{ name: 'Rust Porto', logoUrl: 'https://cdn,example.org/logo.png', sponsors: [first, broken] },
      ...{ locale: 'not a locale', brandColour: '#ffee', secondColour: 'red', font: 'of another version' },
      // of a version that had one language and one way of address more
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

  it('of which something cannot be made are not taken over, nor stored', async () => {
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
    // what began with it gives it up for the file
    await follower.addTrial(({ name }) => {
      if (name === 'Mended') throw new Error('cannot be printed');
    });
    expect(follower.community.name).toBe(shipped.name);
  });

  it('that the file locks stay as it has them, whatever the database says', async () => {
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

  // the gateway checks the same fields before, by their own names
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
    [{ logoUrl: `/media/community/${'a'.repeat(64)}.webp` }, 'logoUrl', /no picture that is stored/],
    [{ logoUrl: '/sponsors/missing.svg' }, 'logoUrl', /no picture that is stored/],
    [{ logoUrl: '/media/community/../avatars/x.webp' }, 'changes.logoUrl', /path of a picture/],
    [{ logoUrl: '/api/logout' }, 'changes.logoUrl', /path of a picture/],
    [{ heroUrl: `/media/community/${'a'.repeat(64)}.webp` }, 'heroUrl', /no picture that is stored/],
    [{ heroUrl: '/api/logout' }, 'changes.heroUrl', /path of a picture/],
    [{ heroUrl: 'https://*/x' }, 'changes.heroUrl', /https address/],
    [{ logoUrl: 'https://cdn,example.org/logo.png' }, 'changes.logoUrl', /https address/],
    [{ logoUrl: 'https://*/x' }, 'changes.logoUrl', /https address/],
  ])('refuse a field by its name: %#', async (changes, field, reason) => {
    await expect(
      change(changes).catch((error: { code: string; details: { fields: Record<string, string[]> } }) => [
        error.code,
        error.details.fields[field]?.join(),
      ]),
    ).resolves.toEqual(['VALIDATION_FAILED', expect.stringMatching(reason)]);
  });

  it('show pictures that were stored before', async () => {
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

  it('cannot be rewritten in the database: a version follows the one before, and stays', async () => {
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

  it('are followed within 5 seconds; a follower without its database keeps the last known', async () => {
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
    // and one that starts then begins with the file
    const started = await new CommunityFollower(stores.config, stores.dataSource).follow(deaf);
    expect(started.community.name).toBe(shipped.name);
    await stores.owner.query('ALTER VIEW admin.elsewhere RENAME TO community');
    await started.look();
    expect(started.community.name).toBe('Rust Porto');
    follower.onApplicationShutdown();
    started.onApplicationShutdown();
  });

  describe('are told', () => {
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
      await looked.mock.results[0]?.value; // what was missed before
      looked.mockRestore();
    };
    const takesOver = (name: string) => until(name, PROMISED, async () => follower.community.name === name);
    const cut = async () => {
      proxy.leadTo('postgres://127.0.0.1:1');
      await until('the loss of it', PROMISED, async () => !listener.isListening);
    };

    it('once they are committed, without another look', async () => {
      await follow({ deaf: NEVER, hearing: NEVER });
      await change({ name: 'Rust Porto' });
      await takesOver('Rust Porto');
    });

    it('or found by looks: soon while nobody tells', async () => {
      await follow({ deaf: SOON, hearing: NEVER });
      await cut();
      await change({ name: 'Rust Porto' });
      await takesOver('Rust Porto');
      expect(listener.isListening).toBe(false);
    });

    it('or found by looks: later while a connection is silent that nobody closed, which another one replaces', async () => {
      await follow({ deaf: NEVER, hearing: SOON });
      proxy.loseOpen();
      await change({ name: 'Rust Porto' });
      await takesOver('Rust Porto');
      await until('another one', PROMISED, async () => proxy.accepted === 2 && listener.isListening);
    });

    it('and look over the connection that listens: the pool is left alone', async () => {
      await follow({ deaf: NEVER, hearing: SOON });
      const asked = jest.spyOn(stores.dataSource, 'query');
      const looked = jest.spyOn(follower, 'look');
      await until('two looks', PROMISED, async () => looked.mock.results.length === 2);
      await Promise.all(looked.mock.results.map(({ value }) => value as Promise<void>));
      expect(asked).not.toHaveBeenCalled();
      jest.restoreAllMocks();
    });

    it('or found when who tells is back', async () => {
      await follow({ deaf: NEVER, hearing: NEVER });
      await cut();
      await change({ name: 'Rust Porto' });
      proxy.leadTo(stores.config.databaseUrl);
      await takesOver('Rust Porto');
    });
  });
});
