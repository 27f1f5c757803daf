import { readFileSync } from 'node:fs';
import {
  type Community,
  type CommunitySettings,
  LEGAL_PAGES,
  type SettingName,
  SettingsFields,
} from '@meetmark/contracts';
import { Global, Inject, Injectable, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { DataSource } from 'typeorm';
import { ConfigError } from '../config/load-config.js';
import { StoreConfig } from '../config/service.config.js';
import { brandPalettes } from './brand.js';

/** `config/community.json`: the first version of the settings. */
interface CommunityFile {
  settings: CommunitySettings;
  /** These stay as the file has them, whatever the database says. */
  locked: SettingName[];
}

/**
 * Reads and validates `config/community.json`.
 * @throws ConfigError naming the file and every entry that is missing, wrong or unknown
 */
export const loadCommunity = (path: string): CommunitySettings => loadCommunityFile(path).settings;

/** As loadCommunity, with what it locks. */
function loadCommunityFile(path: string): CommunityFile {
  const content = parse(path);
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new ConfigError([`${path} must hold one JSON object`]);
  const { locked = [], ...entries } = content as { locked?: unknown };
  const settings = plainToInstance(SettingsFields, entries);
  const problems = validateSync(settings, { whitelist: true, forbidNonWhitelisted: true });
  const lines = [
    ...problems.flatMap((error) => describe(error)),
    ...problemsOfLocks(locked, Object.keys(settings)),
  ];
  if (problems.length === 0 && settings.brandColour !== null)
    lines.push(...problemsOfColour(settings.brandColour));
  if (lines.length > 0) throw new ConfigError(lines.map((line) => `${path}: ${line}`));
  return { settings: { ...settings }, locked: locked as SettingName[] };
}

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

function problemsOfColour(brandColour: string): string[] {
  try {
    brandPalettes(brandColour);
    return [];
  } catch (error) {
    return [(error as { details: { fields: { brandColour: string[] } } }).details.fields.brandColour[0]!];
  }
}

/** The settings with what follows from them. */
export interface PresentCommunity extends CommunitySettings, Community {
  /** Raised by each change; 1: nobody has changed them. */
  settingsVersion: number;
}

const presentCommunity = (settings: CommunitySettings, settingsVersion = 1): PresentCommunity => ({
  ...settings,
  settingsVersion,
  brandPalettes: settings.brandColour === null ? null : brandPalettes(settings.brandColour),
  legalPages: LEGAL_PAGES.filter((page) => settings[page] !== null),
});

/** Milliseconds between two looks at the version in the database. */
const LOOK_EVERY = 1_500;
/** Milliseconds after which every process has seen a change that one has seen. */
const SETTLED = 2 * LOOK_EVERY;

/**
 * Follows the settings in the database: `community` stays the same object and always has the present ones. When the database cannot be
 * read they stay as they were last known, at first as in the file.
 */
@Injectable()
export class CommunityFollower implements OnApplicationShutdown {
  readonly community: PresentCommunity;
  private readonly logger = new Logger('Community');
  private readonly file: CommunityFile;
  private changedAt = -Infinity;
  private timer?: NodeJS.Timeout;
  private failing = false;

  constructor(
    config: StoreConfig & { communityConfig: string },
    private readonly database: DataSource,
  ) {
    this.file = loadCommunityFile(config.communityConfig);
    this.community = presentCommunity(this.file.settings);
  }

  get version(): number {
    return this.community.settingsVersion;
  }

  get locked(): SettingName[] {
    return this.file.locked;
  }

  /** Begins to follow. */
  async follow(): Promise<this> {
    await this.look();
    this.timer = setInterval(() => void this.look(), LOOK_EVERY).unref();
    return this;
  }

  /** Takes over what the database has now. */
  async look(): Promise<void> {
    try {
      const [row] = await this.database.query<{ version: number; settings: CommunitySettings | null }[]>(
        `SELECT version, CASE WHEN version > $1 THEN settings END AS settings FROM admin.community`,
        [this.version],
      );
      if (row?.settings && row.version > this.version) this.take(row.version, row.settings);
      this.failing = false;
    } catch (error) {
      // once, not with every look
      if (!this.failing)
        this.logger.warn({ err: error, msg: 'the settings cannot be read, the last known stay' });
      this.failing = true;
    }
  }

  /** Milliseconds since 1970 until which another process may not have seen the last change: what it says until then may be old. */
  get settledAt(): number {
    return this.changedAt + SETTLED;
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** What a version in the database means here: it may lack what was added since, and locked settings are the file's. */
  settingsOf(stored: Partial<CommunitySettings>): CommunitySettings {
    const { settings, locked } = this.file;
    return { ...settings, ...stored, ...Object.fromEntries(locked.map((name) => [name, settings[name]])) };
  }

  private take(version: number, stored: CommunitySettings): void {
    Object.assign(this.community, presentCommunity(this.settingsOf(stored), version));
    this.changedAt = Date.now();
    this.logger.log(`the settings are those of version ${version}`);
  }
}

export const COMMUNITY = Symbol('community');

/** The community as it is now, as a constructor parameter: what is taken out of it does not follow its changes. */
export const InjectCommunity = () => Inject(COMMUNITY);

const follower = {
  provide: CommunityFollower,
  inject: [StoreConfig, DataSource],
  useFactory: (config: StoreConfig & { communityConfig: string }, database: DataSource) =>
    new CommunityFollower(config, database).follow(),
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
