import { createHash } from 'node:crypto';
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
  ListAudit,
  ListSettingsVersions,
  FRESH_SIGN_IN,
  StoreCommunityPicture,
} from '@meetmark/contracts';
import { CommunityFollower, DatabaseListener } from '@meetmark/platform';
import { SilentProxy } from '@meetmark/platform/testing/silent-proxy';
import { refuses, serviceForTests } from '@meetmark/platform/testing/test-service';
import { outcomes, until } from '@meetmark/testing';
import { jest } from '@jest/globals';
import { insertSettings } from '@meetmark/testing/factories/settings';
import { COMMUNITY, openAdmin } from '../testing/open-admin.js';

const shipped = JSON.parse(readFileSync(COMMUNITY, 'utf8')) as CommunitySettings;

describe('the community settings', () => {
  const communityConfig = join(mkdtempSync(join(tmpdir(), 'settings-')), 'community.json');
  const admin = serviceForTests(async () => {
    writeFileSync(communityConfig, JSON.stringify({ ...shipped, locked: ['currency', 'timeZone'] }));
    cpSync(join(dirname(COMMUNITY), 'public'), join(dirname(communityConfig), 'public'), { recursive: true });
    return openAdmin({ communityConfig, databasePoolSize: 2 }, 2);
  });
  beforeEach(async () => {
    await admin.owner.query(
      `ALTER TABLE admin.community_settings DISABLE TRIGGER ALL; DELETE FROM admin.community_settings;
       ALTER TABLE admin.community_settings ENABLE TRIGGER ALL; DELETE FROM admin.pictures`,
    );
  });

  const change = (changes: Partial<CommunitySettings>, version?: number) =>
    admin.send(ChangeSettings, { changes, version });
  const get = () => admin.send(GetSettings, {});
  const createFollower = () => new CommunityFollower(admin.config, admin.dataSource);

  it('come from the file until they are changed', async () => {
    expect(await get()).toMatchObject({
      settings: { name: shipped.name, weekStart: 'locale', terms: shipped.terms },
      ...{ version: 1, locked: ['currency', 'timeZone'], changedBy: null, changedAt: null },
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
    expect(await get()).toEqual(changed);
    expect(await admin.send(ListSettingsVersions, {})).toEqual([
      {
        ...{ version: 2, changedBy: 'Ada Byron', changedAt: expect.any(String) },
        changes: [
          { name: 'name', before: shipped.name, after: 'Rust Porto' },
          { name: 'brandColour', before: null, after: '#8a1c4a' },
          { name: 'terms', before: `${shipped.terms!.slice(0, 199)}…`, after: `${'x'.repeat(199)}…` },
        ],
      },
    ]);
    const { items } = await admin.send(ListAudit, { action: 'settings.changed' });
    const changedNames = ['name', 'brandColour', 'terms'];
    expect(items[0]).toMatchObject({ actorName: 'Ada Byron', subjectName: null, changed: changedNames });
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
    const settings = { name: 'One', tagline: 'Two' };
    expect(await change({ tagline: 'Two' }, 2)).toMatchObject({ version: 3, settings });
    expect(await change({ tagline: 'Three' })).toMatchObject({ version: 4 });
  });

  it('accept only one of four simultaneous changes of the same version', async () => {
    const results = await outcomes(['One', 'Two', 'Three', 'Four'].map((name) => change({ name }, 1)));
    expect(results).toEqual({ ok: 1, EDIT_CONFLICT: 3 });
    expect((await get()).version).toBe(2);
  });

  it('merge simultaneous changes of two fields if no version is given', async () => {
    const names = ['One', 'Two', 'Three'];
    await Promise.all(names.flatMap((name) => [change({ name }), change({ headline: name })]));
    const { version, settings } = await get();
    expect(version).toBe(7);
    expect(names).toEqual(expect.arrayContaining([settings.name, settings.headline]));
  });

  it('require a fresh sign-in for changes of settings and images', async () => {
    const confirmedAt = Date.now() - FRESH_SIGN_IN.sensitive - DEADLINES.gateway - 1_000;
    const picture = { hash: 'b'.repeat(64), base64: 'AAAA', width: 1, height: 1 };
    const known = { ...admin.administrator, confirmedAt };
    const code = 'FRESH_SIGN_IN_REQUIRED';
    await refuses(code, admin.send(ChangeSettings, { changes: { name: 'One' } }, known));
    await refuses(code, admin.send(StoreCommunityPicture, { picture }, known));
    expect((await admin.send(GetSettings, {}, known)).version).toBe(1);
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
    await insertSettings(admin.owner, stored as unknown as Partial<CommunitySettings>);
    const leftOut = [
      ['logoUrl', stored.logoUrl],
      ['sponsors', broken.logoUrl, second!.name],
      ['brandColour', '#ffee'],
      ['secondColour', 'red'],
      ['font', 'of another version'],
      ['heroPattern', '9'],
      ['locale', 'not a locale'],
      ['languages', '["pt","de"]'],
      ['formOfAddress', 'solemn'],
    ].map(([name, value, sponsor = null]) => ({ name, sponsor, value }));
    const { settings } = await get();
    expect(settings).toMatchObject({
      ...{ name: 'Rust Porto', logoUrl: null, sponsors: [first], locale: shipped.locale, brandColour: null },
      ...{ secondColour: null, font: null, heroPattern: null, languages: null, formOfAddress: 'formal' },
    });
    const findLeftOut = async () => (await admin.send(GetSystemStatus, {})).leftOutSettings;
    expect(await findLeftOut()).toEqual(leftOut);
    const follower = createFollower();
    await follower.look();
    expect(follower.community).toMatchObject(settings);

    await change({ tagline: 'Another' });
    expect(await findLeftOut()).toEqual(leftOut);
    await change({ logoUrl: 'https://cdn.example.org/logo.png', sponsors: [], locale: 'de' });
    expect(await findLeftOut()).toEqual([...leftOut.slice(2, 6), ...leftOut.slice(7)]);
  });

  it('stay at the previous version if a process cannot use the new one', async () => {
    const follower = createFollower();
    const failFor = (unprintable: string) =>
      follower.addTrial(({ name }) => {
        if (name === unprintable) throw new Error('cannot be printed');
      });
    const take = async (name: string) => {
      await insertSettings(admin.owner, { name });
      await follower.look();
    };
    await failFor('Unprintable');
    await take('Rust Porto');
    await take('Unprintable');
    expect(follower.community).toMatchObject({ name: 'Rust Porto', settingsVersion: 2 });
    await refuses('SETTINGS_UNUSABLE', follower.tryOut({ ...follower.community, name: 'Unprintable' }));
    await take('Mended');
    expect(follower.community).toMatchObject({ name: 'Mended', settingsVersion: 4 });
    await failFor('Mended');
    expect(follower.community.name).toBe(shipped.name);
  });

  it('keep the file’s values for locked fields', async () => {
    const locked = { currency: 'EUR', timeZone: 'Europe/Lisbon' };
    await expect(change({ name: 'Rust Porto', ...locked })).rejects.toMatchObject({
      ...{ code: 'SETTING_LOCKED', details: { locked: ['currency', 'timeZone'] } },
    });
    expect(await get()).toMatchObject({ version: 1, settings: { name: shipped.name } });
    expect(await change({ name: 'Rust Porto', currency: shipped.currency })).toMatchObject({ version: 2 });
    await insertSettings(admin.owner, { currency: 'EUR' });
    expect((await get()).settings.currency).toBe(shipped.currency);
  });

  const sponsor = shipped.sponsors[0]!;
  // The gateway checks these fields before the service does. It reports them without `changes.`.
  it.each<[Partial<CommunitySettings>, string, RegExp]>([
    [{ timeZone: 'Mars/Olympus' }, 'changes.timeZone', /IANA name/],
    [{ signInButton: 'yes' as never }, 'changes.signInButton', /./],
    [{ sponsors: [{ ...sponsor, logoUrl: 'javascript:1' }] }, 'changes.sponsors[0].logoUrl', /path/],
    [{ logoUrl: `/media/community/${'a'.repeat(64)}.webp` }, 'logoUrl', /not an image that is stored/],
    [{ logoUrl: '/sponsors/missing.svg' }, 'logoUrl', /not an image that is stored/],
    [{ logoUrl: 'https://cdn,example.org/logo.png' }, 'changes.logoUrl', /https URL/],
    [{ heroUrl: `/media/community/${'a'.repeat(64)}.webp` }, 'heroUrl', /not an image that is stored/],
    [{ heroUrl: '/api/logout' }, 'changes.heroUrl', /path of an image/],
  ])('refuse an invalid value and name its field: %#', async (changes, field, reason) => {
    await expect(change(changes)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { fields: { [field]: [expect.stringMatching(reason)] } },
    });
  });

  it('accept a stored image as the logo', async () => {
    const bytes = Buffer.from('a picture');
    const hash = createHash('sha256').update(bytes).digest('hex');
    const picture = { hash, base64: bytes.toString('base64'), width: 1, height: 1 };
    await admin.send(StoreCommunityPicture, { picture });
    expect(await admin.send(GetCommunityPicture, { hash })).toEqual({ base64: picture.base64 });
    const logoUrl = `/media/community/${hash}.webp`;
    expect((await change({ logoUrl })).settings.logoUrl).toBe(logoUrl);
    const broken = { ...picture, hash: 'b'.repeat(64) };
    await refuses('PICTURE_BROKEN', admin.send(StoreCommunityPicture, { picture: broken }));
  });

  it('are protected in the database from edits, deletions and skipped versions', async () => {
    await change({ name: 'One' });
    const edit = `UPDATE admin.community_settings SET settings = '{}'`;
    for (const attempt of [
      () => admin.dataSource.query(edit),
      () => admin.dataSource.query('DELETE FROM admin.community_settings'),
      () => admin.owner.query(edit),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: '42501' });
    const skipped = admin.dataSource.query(
      `INSERT INTO admin.community_settings (version, settings, changed_by) VALUES (4, '{}', gen_random_uuid())`,
    );
    await expect(skipped).rejects.toMatchObject({ code: '23505' });
  });

  describe('followed by a process', () => {
    const [SOON, NEVER] = [200, 3_600_000];
    const PATIENCE = 60_000;
    let proxy: SilentProxy;
    let listener: DatabaseListener;
    let follower: CommunityFollower;
    beforeEach(async () => {
      proxy = await SilentProxy.before(admin.config.databaseUrl);
      listener = new DatabaseListener({ databaseUrl: proxy.url }, 'listens');
      follower = createFollower();
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
      await until('the connection', PATIENCE, async () => listener.isListening);
      await looked.mock.results[0]?.value;
      looked.mockRestore();
    };
    const takesOver = (name: string) => until(name, PATIENCE, async () => follower.community.name === name);
    const cut = async () => {
      proxy.leadTo('postgres://127.0.0.1:1');
      await until('the loss of it', PATIENCE, async () => !listener.isListening);
    };

    it('are applied after a notification, without polling', async () => {
      await follow({ deaf: NEVER, hearing: NEVER });
      await change({ name: 'Rust Porto' });
      await takesOver('Rust Porto');
    });

    it('are applied by fast polling while the listener is disconnected, and kept if that fails', async () => {
      await follow({ deaf: SOON, hearing: NEVER });
      expect(follower.community).toMatchObject({ name: shipped.name, settingsVersion: 1 });
      await cut();
      await change({ name: 'Rust Porto', brandColour: '#8a1c4a', terms: 'Be kind' });
      await takesOver('Rust Porto');
      expect(listener.isListening).toBe(false);
      expect(follower.community).toMatchObject({
        brandPalettes: { light: { primary: '#8a1c4a' } },
        legalPages: ['terms', 'privacy'],
      });
      await admin.owner.query('ALTER VIEW admin.community RENAME TO elsewhere');
      const started = createFollower();
      for (const each of [follower, started]) await each.look();
      expect([follower.community.name, started.community.name]).toEqual(['Rust Porto', shipped.name]);
      await admin.owner.query('ALTER VIEW admin.elsewhere RENAME TO community');
      await started.look();
      expect(started.community.name).toBe('Rust Porto');
    });

    it('are applied by slow polling while the connection is silent', async () => {
      await follow({ deaf: NEVER, hearing: SOON });
      proxy.loseOpen();
      await change({ name: 'Rust Porto' });
      await takesOver('Rust Porto');
    });
  });
});
