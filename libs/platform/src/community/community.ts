import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  type Community,
  type CommunitySettings,
  DomainError,
  isPictureAddress,
  LEGAL_PAGES,
  type LeftOutSetting,
  PICTURE_SETTINGS,
  picturesOf,
  type SettingName,
  SettingsFields,
} from '@meetmark/contracts';
import { coverAddress } from '@meetmark/contracts/cover-pattern';
import { Global, Inject, Injectable, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { DataSource } from 'typeorm';
import { ConfigError } from '../config/load-config.js';
import { StoreConfig } from '../config/service.config.js';
import { DatabaseListener } from '../database/database.module.js';
import { Gauge } from 'prom-client';
import { registry } from '../operations/metrics.js';
import { onTicks } from '../redis/clock.js';
import { brandPalettes } from './brand.js';

/** `config/community.json`: the first version of the settings. */
interface CommunityFile extends UsableSettings {
  /** These stay as the file has them, whatever the database says. */
  locked: SettingName[];
  /** Addresses of the pictures beside it. */
  pictures: Set<string>;
  /** Whether the file is the one that Meetmark ships, not the operator's own. */
  isShipped: boolean;
}

/**
 * The file that installations begin with. That of 1.0.0 has no `memberProposals`: an installation in whose file only the currency was
 * changed since has a file of its own.
 */
const SHIPPED = {
  name: 'Our community',
  tagline: '',
  supportEmail: 'hello@example.org',
  sponsors: [],
  copyrightYear: 2024,
  currency: 'GBP',
  timeZone: 'UTC',
  locale: 'en-US',
  memberProposals: false,
};

/** Settings of which every answer can be made. */
interface UsableSettings {
  settings: CommunitySettings;
  leftOut: LeftOutSetting[];
}

/** The folder with pictures of the community's own, which are served under `/`. */
export const publicFolderOf = (communityConfig: string) => join(dirname(communityConfig), 'public');

/** The addresses of its files. */
function publicFilesOf(communityConfig: string): Set<string> {
  const folder = publicFolderOf(communityConfig);
  if (!existsSync(folder)) return new Set();
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return new Set(names.filter((name) => extname(name) !== '').map((name) => `/${name}`));
}

/** Whether something can be shown from there. Pictures that are stored (`/media/…`) are for the admin service to judge. */
const isShown = (url: unknown, pictures: Set<string>) =>
  isPictureAddress(url) && (!url.startsWith('/') || url.startsWith('/media/') || pictures.has(url));

/** The names of the fields whose picture cannot be shown. */
export const unknownPictures = (settings: Partial<CommunitySettings>, pictures: Set<string>): string[] =>
  picturesOf(settings)
    .filter(([, url]) => !isNone(url) && !isShown(url, pictures))
    .map(([field]) => field);

/** As EmptyAsNull has it. */
const isNone = (value: unknown) => value === undefined || value === null || value === '';

/**
 * Reads and validates `config/community.json`. Pictures and Markdown that cannot be shown are left out.
 * @throws ConfigError naming the file and every other entry that is missing, wrong or unknown
 */
export const loadCommunity = (path: string): CommunitySettings => loadCommunityFile(path).settings;

/** As loadCommunity, with what it locks. */
function loadCommunityFile(path: string): CommunityFile {
  const content = parse(path);
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new ConfigError([`${path} must hold one JSON object`]);
  const { locked = [], ...entries } = content as { locked?: unknown };
  const pictures = publicFilesOf(path);
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
    isShipped: isDeepStrictEqual(content, SHIPPED),
  };
}

const SHOWN = 200;
const left = (name: SettingName, value: unknown, sponsor: string | null = null): LeftOutSetting => ({
  name,
  sponsor,
  // it may hold a key, and what is left out is logged
  value:
    name === 'mapUrl'
      ? ''
      : (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, SHOWN),
});

/** Without the pictures that cannot be shown, and the sponsors of such a one. */
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

/** The texts of which nothing is wrong but that their Markdown is beyond what is rendered: an earlier release took them. */
const beyondMarkdown = (entries: object): SettingName[] =>
  validateSync(plainToInstance(SettingsFields, entries))
    .filter(({ constraints = {} }) => Object.keys(constraints).join() === 'isMarkdown')
    .map(({ property }) => property as SettingName);

function parse(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ConfigError([`${path} cannot be read: ${error instanceof Error ? error.message : error}`]);
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
  if (!Array.isArray(locked)) return ['locked must be a list of names'];
  const unknown = locked.filter((name) => !names.includes(name as string));
  return unknown.map((name) => `locked names ${JSON.stringify(name)}, which is no setting`);
}

/** The settings with what follows from them. */
export interface PresentCommunity extends CommunitySettings, Community {
  /** Raised by each change; 1: the settings were never changed. */
  settingsVersion: number;
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
  };
}

/**
 * Makes something of the settings as answers do. It throws for settings of which it cannot be made: they are not stored, and where they
 * are, the process stays with those that it had.
 */
export type Trial = (candidate: PresentCommunity) => unknown;

const unusable = new Gauge({
  name: 'community_settings_left_out',
  help: 'Settings that are stored and left out, because answers cannot be made with them',
  registers: [registry],
});

/** PostgreSQL channel of new versions: the trigger `community_settings_tell` of admin notifies it. */
const SETTINGS_CHANNEL = 'settings';
/** Milliseconds between two looks at the version in the database. */
const LOOKS = {
  /** While no notification would come, or the last look failed. */
  deaf: 1_500,
  /** While notifications come, unless their connection is silent without being closed. */
  hearing: 4_000,
};
/** Milliseconds after which every process has seen a change that one has seen: the longer pause, and that after a look which failed. */
const SETTLED = LOOKS.hearing + LOOKS.deaf;

/**
 * Follows the settings in the database: `community` stays the same object and always has the present ones. When the database cannot be
 * read they stay as they were last known, at first as in the file.
 */
@Injectable()
export class CommunityFollower implements OnApplicationShutdown {
  readonly community: PresentCommunity;
  private readonly logger = new Logger('Community');
  private readonly file: CommunityFile;
  private readonly trials: Trial[] = [];
  private changedAt = -Infinity;
  /** The newest version that was taken over; 0: none. */
  private taken = 0;
  private readonly stops: (() => void)[] = [];
  private listener: DatabaseListener | undefined;
  private failing = false;
  /** The newest version, if no answer can be made with it. */
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

  /** Addresses of the files beside `community.json`, which settings may name. */
  get pictures(): Set<string> {
    return this.file.pictures;
  }

  /** From now on nothing is taken over with which it fails; what was taken before and does is given up for the file. */
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

  /**
   * Makes everything that this process makes of settings, as a trial.
   * @throws DomainError SETTINGS_UNUSABLE
   */
  async tryOut(settings: CommunitySettings, version = this.version): Promise<PresentCommunity> {
    const candidate = presentCommunity(settings, version);
    try {
      for (const trial of this.trials) await trial(candidate);
    } catch (cause) {
      throw new DomainError('SETTINGS_UNUSABLE', undefined, { cause });
    }
    return candidate;
  }

  /** Begins to follow: a change is taken over when its notification comes, or by the next look. */
  async follow(listener: DatabaseListener, { deaf, hearing } = LOOKS): Promise<this> {
    await this.look();
    this.listener = listener;
    const look = () => void this.look();
    this.stops.push(
      listener.listen(SETTINGS_CHANNEL, look),
      onTicks(deaf, () => (!listener.isListening || this.failing) && look()),
      onTicks(hearing, look),
    );
    return this;
  }

  /** Takes over what the database has now. */
  async look(): Promise<void> {
    try {
      const row = await this.read();
      if (row?.settings && row.version > this.taken) await this.take(row.version, row.settings);
      this.failing = false;
    } catch (error) {
      // once, not with every look
      if (!this.failing)
        this.logger.warn({ err: error, msg: 'the settings cannot be read, the last known stay' });
      this.failing = true;
    }
  }

  /** Over the connection that listens, which keeps no other one open and is found out when it is silent; over another one where it fails. */
  private async read(): Promise<{ version: number; settings: CommunitySettings | null } | undefined> {
    type Row = { version: number; settings: CommunitySettings | null };
    const query: [text: string, values: unknown[]] = [
      `SELECT version, CASE WHEN version > $1 THEN settings END AS settings FROM admin.community`,
      [this.taken],
    ];
    const { listener } = this;
    const heard = listener?.isListening
      ? await listener.ask<Row>(...query).catch(() => undefined)
      : undefined;
    const [row] = heard ?? (await this.database.query<Row[]>(...query));
    return row;
  }

  /** Milliseconds since 1970 until which another process may not have seen the last change: what it says until then may be old. */
  get settledAt(): number {
    return this.changedAt + SETTLED;
  }

  onApplicationShutdown(): void {
    this.stops.forEach((stop) => stop());
  }

  /**
   * What a version in the database means here: it may lack what was added since, locked settings are the file's, and so is what does not
   * obey the rules of today. The first version is no owner's choice: a file of the operator's own goes before it.
   */
  usable(version: number, stored: Partial<CommunitySettings>): UsableSettings {
    const { settings, locked, pictures, isShipped } = this.file;
    const chosen = version > 1 || isShipped ? stored : {};
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
      if (version <= this.taken) return; // another look was faster
      this.taken = version;
      Object.assign(this.community, candidate);
    } catch (error) {
      return this.refuse(version, error);
    }
    this.refused = undefined;
    this.changedAt = Date.now();
    this.logger.log(`the settings are those of version ${version}`);
    this.tell(leftOut);
  }

  private refuse(version: number, err: unknown): void {
    // once, not with every look
    if (this.refused !== version)
      this.logger.error({ err, msg: `version ${version} of the settings cannot be used` });
    this.refused = version;
    unusable.set(1);
  }

  private tell(leftOut: LeftOutSetting[]): void {
    unusable.set(leftOut.length);
    for (const { name, sponsor, value } of leftOut)
      this.logger.warn({ msg: 'a setting is left out: it cannot be used', name, sponsor, value });
  }
}

export const COMMUNITY = Symbol('community');

/** The community as it is now, as a constructor parameter: what is taken out of it does not follow its changes. */
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

/** The community for a whole process whose configuration has `communityConfig`. */
@Global()
@Module({ providers: [follower, community], exports: [follower, community] })
export class CommunityModule {}
