import {
  type ChangeSettingsRequest,
  type CommunitySettings,
  FORMER_MEMBER_NAME,
  DomainError,
  invalidFields,
  type LeftOutSetting,
  pictureHash,
  type SettingChange,
  type SettingName,
  type Settings,
  type SettingsVersion,
  type StoredPicture,
  listImages,
} from '@meetmark/contracts';
import { shortenText } from '@meetmark/contracts/cut-text';
import {
  type Call,
  CommunityFollower,
  requireIdentity,
  inTransaction,
  PictureStore,
  requireAdministrator,
  unknownPictures,
} from '@meetmark/platform';
import { emptyMail } from '@meetmark/platform/mail/content';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { fetchNames } from '../audit/audit.repository.js';
import {
  addVersion,
  isKnownZone,
  keepBeginning,
  lockSettings,
  newestVersion,
  type VersionRow,
  versionsAfter,
} from './settings.repository.js';

const UNKNOWN_PICTURE = 'is not an image that is stored here';
/** Characters. */
const SHOWN = 200;

@Injectable()
export class SettingsService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pictures: PictureStore,
    private readonly follower: CommunityFollower,
  ) {}

  /** Makes the follower refuse settings with which emails can't be rendered. */
  onModuleInit(): Promise<void> {
    return this.follower.addTrial(emptyMail);
  }

  get(): Promise<Settings> {
    return this.settingsIn(this.dataSource.manager);
  }

  async leftOut(): Promise<LeftOutSetting[]> {
    const stored = await newestVersion(this.dataSource.manager);
    return this.follower.usable(stored?.version ?? 1, stored?.settings ?? {}).leftOut;
  }

  /** Applies changes one at a time, so that each is based on the previous one. */
  async change({ changes, version }: ChangeSettingsRequest, call: Call): Promise<Settings> {
    const caller = requireIdentity(call);
    await this.refuseUnknownZone(changes.timeZone);
    const changed = await inTransaction(
      this.dataSource,
      async (manager) => {
        await requireAdministrator(manager, caller);
        await lockSettings(manager);
        const present = await this.settingsIn(manager);
        const named = Object.entries(changes).filter(([, value]) => value !== undefined);
        const found = differences(present.settings, Object.fromEntries(named));
        if (found.length === 0) return present;
        const locked = found.map(({ name }) => name).filter((name) => present.locked.includes(name));
        if (locked.length > 0) throw new DomainError('SETTING_LOCKED', { locked });
        if (version !== undefined && version !== present.version)
          throw await this.conflict(manager, version, present, caller.sub);
        await this.check(manager, applied(present.settings, found));
        await this.append(manager, present, found, caller.sub);
        return this.settingsIn(manager);
      },
      { community_settings_pkey: 'EDIT_CONFLICT' },
    );
    await this.follower.look();
    return changed;
  }

  async versions(): Promise<SettingsVersion[]> {
    const { manager } = this.dataSource;
    const rows = await versionsAfter(manager, 1);
    const names = await this.fetchNames(manager, rows);
    return rows.map(({ version, changes, changedBy, changedAt }) => ({
      version,
      changedBy: nameIn(names, changedBy),
      changedAt: changedAt.toISOString(),
      changes: changes.map(({ name, before, after }) => ({ name, before: cut(before), after: cut(after) })),
    }));
  }

  async storePicture(picture: StoredPicture, call: Call): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      await requireAdministrator(manager, requireIdentity(call));
      await this.pictures.apply(manager, { action: 'store', picture });
    });
  }

  private async settingsIn(manager: EntityManager): Promise<Settings> {
    const row = await newestVersion(manager);
    const names = await this.fetchNames(manager, row === undefined ? [] : [row]);
    return {
      version: row?.version ?? 1,
      settings: this.follower.usable(row?.version ?? 1, row?.settings ?? {}).settings,
      locked: this.follower.locked,
      changedBy: nameIn(names, row?.changedBy ?? null),
      changedAt: row === undefined || row.changedBy === null ? null : row.changedAt.toISOString(),
    };
  }

  private async check(manager: EntityManager, after: CommunitySettings): Promise<void> {
    const [unknown] = unknownPictures(after, this.follower.pictures);
    if (unknown !== undefined) throw invalidFields([unknown, UNKNOWN_PICTURE]);
    for (const [field, url] of listImages(after)) {
      const hash = pictureHash('community', url);
      if (hash === undefined) continue;
      if (!(await this.pictures.has(hash, manager))) throw invalidFields([field, UNKNOWN_PICTURE]);
    }
    await this.follower.tryOut(after);
  }

  /**
   * Must run before the transaction. In the transaction, an unknown time zone would abort it. A second
   * connection during the transaction could cause a deadlock.
   */
  private async refuseUnknownZone(timeZone: string | undefined): Promise<void> {
    if (timeZone !== undefined && !(await isKnownZone(this.dataSource.manager, timeZone)))
      throw invalidFields(['timeZone', 'is not known to the database']);
  }

  private async append(
    manager: EntityManager,
    present: Settings,
    found: SettingChange[],
    changedBy: string,
  ): Promise<void> {
    await keepBeginning(manager, present.settings);
    const settings = applied({ ...present.settings, ...(await this.kept(manager)) }, found);
    await addVersion(manager, { version: present.version + 1, settings, changes: found, changedBy });
  }

  /** Returns stored values that this version can't use. They stay stored until someone changes them. */
  private async kept(manager: EntityManager): Promise<Partial<CommunitySettings>> {
    const { version, settings: stored } = (await newestVersion(manager)) ?? { version: 1, settings: {} };
    const names = new Set(this.follower.usable(version, stored).leftOut.map(({ name }) => name));
    return Object.fromEntries(Object.entries(stored).filter(([name]) => names.has(name as SettingName)));
  }

  private async conflict(
    manager: EntityManager,
    version: number,
    present: Settings,
    reader: string,
  ): Promise<DomainError> {
    const rows = await versionsAfter(manager, version);
    const names = await this.fetchNames(manager, rows);
    return new DomainError('EDIT_CONFLICT', {
      present,
      edits: rows.map(({ changedBy, changedAt, changes }) => ({
        by: nameIn(names, changedBy),
        own: changedBy === reader,
        at: changedAt.toISOString(),
        changed: changes.map(({ name }) => name),
      })),
    });
  }

  private fetchNames(manager: EntityManager, rows: VersionRow[]): Promise<Map<string, string>> {
    return fetchNames(
      manager,
      rows.flatMap(({ changedBy }) => (changedBy === null ? [] : [changedBy])),
    );
  }
}

const nameIn = (names: Map<string, string>, id: string | null) =>
  id === null ? null : (names.get(id) ?? FORMER_MEMBER_NAME);

const differences = (present: CommunitySettings, changes: Partial<CommunitySettings>): SettingChange[] =>
  (Object.keys(changes) as SettingName[])
    .filter((name) => JSON.stringify(sorted(present[name])) !== JSON.stringify(sorted(changes[name])))
    .map((name) => ({ name, before: present[name], after: changes[name] }));

/** Sorts properties by name, because jsonb changes their order. */
const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => a.localeCompare(b))
            .map(([name, each]) => [name, sorted(each)]),
        )
      : value;

const applied = (present: CommunitySettings, found: SettingChange[]): CommunitySettings => ({
  ...present,
  ...(Object.fromEntries(found.map(({ name, after }) => [name, after])) as Partial<CommunitySettings>),
});

const cut = (value: unknown) => (typeof value === 'string' ? shortenText(value, SHOWN) : value);
