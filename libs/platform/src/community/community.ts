import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import {
  type Community,
  type CommunitySettings,
  DomainError,
  isPictureAddress,
  LEGAL_PAGES,
  type LegalVersions,
  type LeftOutSetting,
  PICTURE_SETTINGS,
  listImages,
  type SettingName,
  SettingsFields,
} from '@meetmark/contracts';
import { cutText } from '@meetmark/contracts/cut-text';
import { coverAddress } from '@meetmark/contracts/events/cover-pattern';
import { Global, Inject, Injectable, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { DataSource } from 'typeorm';
import { ConfigError } from '../config/load-config.js';
import { StoreConfig } from '../config/service.config.js';
import { DatabaseListener } from '../database/database.module.js';
import { Gauge } from 'prom-client';
import { registry } from '../operations/metrics.js';
import { brandPalettes } from './brand.js';

interface CommunityFile extends UsableSettings {
  locked: SettingName[];
  pictures: Set<string>;
}

interface UsableSettings {
  settings: CommunitySettings;
  leftOut: LeftOutSetting[];
}

export const getPublicFolder = (communityConfig: string) => join(dirname(communityConfig), 'public');

function listPublicFiles(communityConfig: string): Set<string> {
  const folder = getPublicFolder(communityConfig);
  if (!existsSync(folder)) return new Set();
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return new Set(names.filter((name) => extname(name) !== '').map((name) => `/${name}`));
}

/** Accepts any stored image (`/media/…`), because the admin service checks these. */
const isShown = (url: unknown, pictures: Set<string>) =>
  isPictureAddress(url) && (!url.startsWith('/') || url.startsWith('/media/') || pictures.has(url));

export const unknownPictures = (settings: Partial<CommunitySettings>, pictures: Set<string>): string[] =>
  listImages(settings)
    .filter(([, url]) => !isNone(url) && !isShown(url, pictures))
    .map(([field]) => field);

const isNone = (value: unknown) => value === undefined || value === null || value === '';

/**
 * Loads the settings without unusable images and Markdown.
 * @throws ConfigError naming the file and every missing, invalid or unknown entry
 */
export const loadCommunity = (path: string): CommunitySettings => loadCommunityFile(path).settings;

function loadCommunityFile(path: string): CommunityFile {
  const content = parse(path);
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new ConfigError([`${path} must contain a JSON object`]);
  const { locked = [], ...entries } = content as { locked?: unknown };
  const pictures = listPublicFiles(path);
  const { given, leftOut } = withoutPictures(entries, pictures);
  for (const name of beyondMarkdown(given)) {
    leftOut.push(left(name, given[name]));
    delete given[name];
  }
  const settings = plainToInstance(SettingsFields, given);
  const problems = validateSync(settings, { whitelist: true, forbidNonWhitelisted: true });
  const lines = [
    ...problems.flatMap((error) => describe(error)),
    ...problemsOfLocks(locked, Object.keys(settings)),
  ];
  if (lines.length > 0) throw new ConfigError(lines.map((line) => `${path}: ${line}`));
  return {
    settings: { ...settings },
    leftOut,
    locked: locked as SettingName[],
    pictures,
  };
}

const SHOWN = 200;
const left = (name: SettingName, value: unknown, sponsor: string | null = null): LeftOutSetting => ({
  name,
  sponsor,
  // This value is logged, and a map's URL may contain an API key.
  value:
    name === 'mapUrl'
      ? ''
      : cutText(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), SHOWN),
});

function withoutPictures(
  entries: object,
  pictures: Set<string>,
): { given: Record<string, unknown>; leftOut: LeftOutSetting[] } {
  const given: Record<string, unknown> = { ...entries };
  const leftOut: LeftOutSetting[] = [];
  const { sponsors } = given;
  for (const name of PICTURE_SETTINGS) {
    const url = given[name];
    if (isNone(url) || isShown(url, pictures)) continue;
    delete given[name];
    leftOut.push(left(name, url));
  }
  if (Array.isArray(sponsors))
    given.sponsors = sponsors.filter((sponsor: unknown) => {
      const { name, logoUrl: url } = (sponsor ?? {}) as { name?: unknown; logoUrl?: unknown };
      const stays = typeof url !== 'string' || isShown(url, pictures);
      if (!stays) leftOut.push(left('sponsors', url, String(name)));
      return stays;
    });
  return { given, leftOut };
}

/**
 * Finds settings that exceed the Markdown limits. They are ignored instead of rejected, because earlier
 * releases had no limits.
 */
const beyondMarkdown = (entries: object): SettingName[] =>
  validateSync(plainToInstance(SettingsFields, entries))
    .filter(({ constraints = {} }) => Object.keys(constraints).join() === 'isMarkdown')
    .map(({ property }) => property as SettingName);

function parse(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ConfigError([`Cannot read ${path}: ${error instanceof Error ? error.message : error}`]);
  }
}

function describe(error: ValidationError, parent = ''): string[] {
  const name = `${parent}${error.property}`;
  const own = Object.values(error.constraints ?? {}).map(
    (reason) => `${name} ${reason.replace(/^property /, '').replace(`${error.property} `, '')}`,
  );
  return [...own, ...(error.children ?? []).flatMap((child) => describe(child, `${name}.`))];
}

function problemsOfLocks(locked: unknown, names: string[]): string[] {
  if (!Array.isArray(locked)) return ['locked must be a list of names of settings'];
  const unknown = locked.filter((name) => !names.includes(name as string));
  return unknown.map((name) => `locked contains ${JSON.stringify(name)}, which is not a setting`);
}

export interface PresentCommunity extends CommunitySettings, Community {
  settingsVersion: number;
  legalVersions: LegalVersions;
}

function presentCommunity(settings: CommunitySettings, settingsVersion = 1): PresentCommunity {
  const palettes = brandPalettes(settings.brandColour, settings.secondColour);
  const hero = { bannerImageUrl: settings.heroUrl, coverPattern: settings.heroPattern };
  return {
    ...settings,
    settingsVersion,
    heroUrl: coverAddress(hero, palettes.both.covers),
    brandPalettes: palettes,
    hasMaps: settings.mapUrl !== null,
    legalPages: LEGAL_PAGES.filter((page) => settings[page] !== null),
    legalVersions: Object.fromEntries(
      LEGAL_PAGES.flatMap((page) => {
        const text = settings[page];
        return text === null ? [] : [[page, createHash('sha256').update(text).digest('hex')]];
      }),
    ),
  };
}

/**
 * Throws if a part of the application can't use the settings. Then the settings are neither stored nor
 * applied.
 */
export type Trial = (candidate: PresentCommunity) => unknown;

const unusable = new Gauge({
  name: 'community_settings_left_out',
  help: 'Stored settings that are ignored because they cannot be used',
  registers: [registry],
});

/** The admin service's trigger `community_settings_tell` notifies this channel. */
const SETTINGS_CHANNEL = 'settings';
/**
 * Milliseconds between two reads of the settings' version. `deaf` applies without a connection for
 * notifications.
 */
const LOOKS = {
  deaf: 1_500,
  /** Polling continues despite notifications, because a dead connection may go unnoticed. */
  hearing: 4_000,
};
/** Milliseconds until every process has read a change: the longer interval and one retry. */
const SETTLED = LOOKS.hearing + LOOKS.deaf;

/**
 * Keeps `community` up to date. While the database fails, the last known settings stay in use. At the start,
 * these come from the file.
 */
@Injectable()
export class CommunityFollower implements OnApplicationShutdown {
  readonly community: PresentCommunity;
  private readonly logger = new Logger('Community');
  private readonly file: CommunityFile;
  private readonly trials: Trial[] = [];
  private changedAt = -Infinity;
  private taken = 0;
  private readonly timers: NodeJS.Timeout[] = [];
  private stopListening: (() => void) | undefined;
  private failing = false;
  private refused?: number;

  constructor(
    config: StoreConfig & { communityConfig: string },
    private readonly database: DataSource,
  ) {
    this.file = loadCommunityFile(config.communityConfig);
    this.community = presentCommunity(this.file.settings);
    this.tell(this.file.leftOut);
  }

  get version(): number {
    return this.community.settingsVersion;
  }

  get locked(): SettingName[] {
    return this.file.locked;
  }

  get pictures(): Set<string> {
    return this.file.pictures;
  }

  async addTrial(trial: Trial): Promise<void> {
    this.trials.push(trial);
    try {
      await trial(this.community);
    } catch (error) {
      this.refuse(this.version, error);
      this.taken = 0;
      Object.assign(this.community, presentCommunity(this.file.settings));
    }
  }

  /** @throws DomainError SETTINGS_UNUSABLE */
  async tryOut(settings: CommunitySettings, version = this.version): Promise<PresentCommunity> {
    const candidate = presentCommunity(settings, version);
    try {
      for (const trial of this.trials) await trial(candidate);
    } catch (cause) {
      throw new DomainError('SETTINGS_UNUSABLE', undefined, { cause });
    }
    return candidate;
  }

  async follow(listener: DatabaseListener, { deaf, hearing } = LOOKS): Promise<this> {
    await this.look();
    const look = () => void this.look();
    this.stopListening = listener.listen(SETTINGS_CHANNEL, look);
    this.timers.push(
      setInterval(() => (!listener.isListening || this.failing) && look(), deaf).unref(),
      setInterval(look, hearing).unref(),
    );
    return this;
  }

  async look(): Promise<void> {
    try {
      const [row] = await this.database.query<{ version: number; settings: CommunitySettings | null }[]>(
        'SELECT version, CASE WHEN version > $1 THEN settings END AS settings FROM admin.community',
        [this.taken],
      );
      if (row?.settings && row.version > this.taken) await this.take(row.version, row.settings);
      this.failing = false;
    } catch (error) {
      if (!this.failing)
        this.logger.warn({ err: error, msg: 'Could not read the settings; keeping the last known ones' });
      this.failing = true;
    }
  }

  /** Milliseconds since 1970 until which other processes may still use the previous settings. */
  get settledAt(): number {
    return this.changedAt + SETTLED;
  }

  onApplicationShutdown(): void {
    this.stopListening?.();
    this.timers.forEach(clearInterval);
  }

  /** Takes locked, missing and invalid settings from the file. Version 1 consists only of the file. */
  usable(version: number, stored: Partial<CommunitySettings>): UsableSettings {
    const { settings, locked, pictures } = this.file;
    const chosen = version > 1 ? stored : {};
    const own = Object.fromEntries(
      Object.entries(chosen).filter(([name]) => !locked.includes(name as never)),
    );
    const { given, leftOut } = withoutPictures(own, pictures);
    leftOut.push(...this.file.leftOut.filter(({ name }) => !(name in own)));
    const usable: CommunitySettings = { ...settings, ...given };
    for (const { property } of validateSync(plainToInstance(SettingsFields, usable))) {
      const name = property as SettingName;
      leftOut.push(left(name, usable[name]));
      Object.assign(usable, { [name]: settings[name] });
    }
    return { settings: usable, leftOut };
  }

  private async take(version: number, stored: CommunitySettings): Promise<void> {
    const { settings, leftOut } = this.usable(version, stored);
    try {
      const candidate = await this.tryOut(settings, version);
      if (version <= this.taken) return;
      this.taken = version;
      Object.assign(this.community, candidate);
    } catch (error) {
      return this.refuse(version, error);
    }
    this.refused = undefined;
    this.changedAt = Date.now();
    this.logger.log(`Using version ${version} of the settings`);
    this.tell(leftOut);
  }

  private refuse(version: number, err: unknown): void {
    if (this.refused !== version)
      this.logger.error({
        err,
        msg: `Version ${version} of the settings cannot be used; keeping the previous one`,
      });
    this.refused = version;
    unusable.set(1);
  }

  private tell(leftOut: LeftOutSetting[]): void {
    unusable.set(leftOut.length);
    for (const { name, sponsor, value } of leftOut)
      this.logger.warn({ msg: 'Ignored a setting that cannot be used', name, sponsor, value });
  }
}

export const COMMUNITY = Symbol('community');

/** Don't keep copies of the community's values, because copies don't change with the settings. */
export const InjectCommunity = () => Inject(COMMUNITY);

const follower = {
  provide: CommunityFollower,
  inject: [StoreConfig, DataSource, DatabaseListener],
  useFactory: (
    config: StoreConfig & { communityConfig: string },
    database: DataSource,
    listener: DatabaseListener,
  ) => new CommunityFollower(config, database).follow(listener),
};

const community = {
  provide: COMMUNITY,
  inject: [CommunityFollower],
  useFactory: (followed: CommunityFollower) => followed.community,
};

@Global()
@Module({ providers: [follower, community], exports: [follower, community] })
export class CommunityModule {}
