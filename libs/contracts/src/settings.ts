import {
  IsBoolean,
  IsEmail,
  IsIn,
  IsInt,
  IsISO4217CurrencyCode,
  IsString,
  Matches,
  Max,
  Min,
  ValidateBy,
} from 'class-validator';
import {
  type CommunitySettings,
  type FontName,
  FONTS,
  PAYMENT_NOTE,
  type Sponsor,
  WEEK_STARTS,
  type WeekStart,
} from './community.js';
import { PATTERNS } from './cover-pattern.js';
import { LIMITS } from './limits.js';
import { FORMS_OF_ADDRESS, type FormOfAddress, isLocale, LOCALES, type ProductLocale } from './locales.js';
import { defineMessage, Nothing } from './message.js';
import { GetPictureRequest, type PictureBytes, StoredPicture } from './pictures.js';
import {
  EmptyAsNull,
  IfGiven,
  IsFilled,
  IsVersion,
  IsWebUrl,
  IsZone,
  ListOf,
  MarkdownText,
  ObjectOf,
  SingleLine,
  changesOf,
  isWebUrl,
} from './validation.js';

const FIRST_YEAR = 1900;
const LAST_YEAR = 9999;

/** A file of this site: a stored picture, or one that lies in the folder `public` beside `community.json`. The API has no such address. */
const SITE_FILE =
  /^\/(?:media\/community\/[0-9a-f]{64}\.webp|(?!(?:api|media)\/)(?:[\w-][\w.~-]*\/)*[\w-][\w.~-]*\.\w+)$/;
/** Letters, digits and hyphens in labels of at most 63; the last one is no number, which would be an address of the network. */
const HOST_NAME = /^(?=.{1,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)*[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/;

/**
 * The origin of a picture elsewhere, as the page's policy names it: https and a host that is a host name. Undefined for any other address:
 * a comma, semicolon or asterisk in a host would be read as a part of the policy.
 */
export function pictureOrigin(value: string | null): string | undefined {
  if (value === null || !isWebUrl(value)) return undefined;
  const { protocol, hostname, origin } = new URL(value);
  return protocol === 'https:' && HOST_NAME.test(hostname) ? origin : undefined;
}

/** A path of a file of this site, such as /sponsors/name.svg, or a https address. `//host/path` would lead to another site. */
export const isPictureAddress = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length <= LIMITS.url &&
  (SITE_FILE.test(value) || pictureOrigin(value) !== undefined);

const IsPictureAddress = () =>
  ValidateBy({
    name: 'isPictureAddress',
    validator: {
      validate: isPictureAddress,
      defaultMessage: () => '$property must be the path of a picture of this site or a https address',
    },
  });

/** Stands in the address of a provider of maps for the address of a venue. */
const VENUE_PLACE = '*';

/**
 * A https address with one `*` in its path or query. Its host is a name of the public network; what the name leads to is judged when a
 * picture is fetched.
 */
export function isMapAddress(value: unknown): value is string {
  if (typeof value !== 'string' || !isWebUrl(value)) return false;
  const { protocol, hostname, pathname, search } = new URL(value);
  const isPublicName = HOST_NAME.test(hostname) && hostname.includes('.');
  return (
    protocol === 'https:' &&
    isPublicName &&
    value.split(VENUE_PLACE).length === 2 &&
    `${pathname}${search}`.includes(VENUE_PLACE)
  );
}

/** Where the picture of a venue is fetched from; null for what no map is found by, such as dots, which would lead to another path. */
export const mapAddressOf = (mapUrl: string, venue: string): string | null =>
  /[\p{L}\p{N}]/u.test(venue) ? mapUrl.replace(VENUE_PLACE, () => encodeURIComponent(venue)) : null;

const IsMapAddress = () =>
  ValidateBy({
    name: 'isMapAddress',
    validator: {
      validate: isMapAddress,
      defaultMessage: () =>
        '$property must be a https address of a public host with one * in place of the venue',
    },
  });

const isLanguageTag = (value: unknown) => {
  try {
    return typeof value === 'string' && Intl.DateTimeFormat.supportedLocalesOf(value).length === 1;
  } catch {
    return false; // Intl throws a RangeError for what is not a language tag
  }
};

const isLanguages = (value: unknown) =>
  value === null || (Array.isArray(value) && new Set(value).size === value.length && value.every(isLocale));

export const IsBrandColour = () =>
  Matches(/^#[0-9a-f]{6}$/i, {
    message: '$property must be a colour such as #aa3377',
    context: { rule: 'isColour' },
  });

class SponsorFields implements Sponsor {
  @SingleLine(LIMITS.title)
  @IsFilled()
  name!: string;

  @IsPictureAddress()
  logoUrl!: string;

  @IsWebUrl(LIMITS.url)
  url!: string;
}

/** The rules of the settings, in `config/community.json` as in the database. What has a default may be left out of the file. */
export class SettingsFields implements CommunitySettings {
  @SingleLine(LIMITS.name)
  @IsFilled()
  name!: string;

  @IfGiven()
  @SingleLine(LIMITS.headline)
  @IsFilled()
  headline = 'Come and meet each other';

  @SingleLine(LIMITS.tagline)
  tagline!: string;

  @IsEmail()
  supportEmail!: string;

  @EmptyAsNull()
  @IsWebUrl(LIMITS.linkedInUrl)
  linkedInUrl: string | null = null;

  @EmptyAsNull()
  @IsPictureAddress()
  logoUrl: string | null = null;

  @EmptyAsNull()
  @IsBrandColour()
  brandColour: string | null = null;

  @EmptyAsNull()
  @IsBrandColour()
  secondColour: string | null = null;

  @EmptyAsNull()
  @IsIn(Object.keys(FONTS))
  font: FontName | null = null;

  @EmptyAsNull()
  @IsPictureAddress()
  heroUrl: string | null = null;

  @EmptyAsNull()
  @IsInt()
  @Min(1)
  @Max(PATTERNS)
  heroPattern: number | null = null;

  @IfGiven()
  @IsBoolean()
  signInButton = false;

  @ListOf(SponsorFields, LIMITS.sponsors)
  sponsors!: SponsorFields[];

  @IsInt()
  @Min(FIRST_YEAR)
  @Max(LAST_YEAR)
  copyrightYear!: number;

  @IsISO4217CurrencyCode()
  currency!: string;

  @IsZone()
  timeZone!: string;

  @IsString()
  @ValidateBy({
    name: 'isLocale',
    validator: {
      validate: isLanguageTag,
      defaultMessage: () => '$property must be a language tag such as en-GB',
    },
  })
  locale!: string;

  @IfGiven()
  @ValidateBy(
    {
      name: 'isLanguages',
      validator: {
        validate: isLanguages,
        defaultMessage: () => `$property must be a list of ${LOCALES.join(', ')}, each once`,
      },
    },
    { context: { rule: 'isLocale' } },
  )
  languages: ProductLocale[] | null = null;

  @IfGiven()
  @IsIn(FORMS_OF_ADDRESS)
  formOfAddress: FormOfAddress = 'formal';

  @IfGiven()
  @IsIn(WEEK_STARTS)
  weekStart: WeekStart = 'locale';

  @IfGiven()
  @SingleLine(LIMITS.paymentNote)
  @IsFilled()
  paymentNoteDefault = PAYMENT_NOTE;

  @IfGiven()
  @IsBoolean()
  memberProposals = false;

  @IfGiven()
  @IsBoolean()
  contactHost = true;

  @IfGiven()
  @IsBoolean()
  publicAttendees = false;

  @EmptyAsNull()
  @IsMapAddress()
  mapUrl: string | null = null;

  @EmptyAsNull()
  @SingleLine(LIMITS.name)
  senderName: string | null = null;

  @EmptyAsNull()
  @MarkdownText(LIMITS.legalPage)
  terms: string | null = null;

  @EmptyAsNull()
  @MarkdownText(LIMITS.legalPage)
  privacy: string | null = null;
}

export type SettingName = keyof CommunitySettings;

/** The settings that are the address of one picture. */
export const PICTURE_SETTINGS = ['logoUrl', 'heroUrl'] as const;

/** The addresses of all pictures of a community, with the names of their fields. */
export const picturesOf = (settings: Partial<CommunitySettings>): [field: string, url: string | null][] => [
  ...PICTURE_SETTINGS.map((name): [string, string | null] => [name, settings[name] ?? null]),
  ...(settings.sponsors ?? []).map(({ logoUrl }, place): [string, string] => [
    `sponsors[${place}].logoUrl`,
    logoUrl,
  ]),
];

/** What is left out stays. */
export const SettingsChanges = changesOf(SettingsFields);
export type SettingsChanges = Partial<CommunitySettings>;

/** The settings of a community as its owners see them. */
export interface Settings {
  /** 1 until they are changed for the first time: then they are those of the file. */
  version: number;
  settings: CommunitySettings;
  /** Fixed by `config/community.json`. */
  locked: SettingName[];
  /** Null: the settings were never changed, or the account is gone. */
  changedBy: string | null;
  changedAt: string | null;
}

export const GetSettings = defineMessage({
  service: 'admin',
  name: 'settings.get',
  access: 'admin',
  reads: true,
  request: Nothing,
})<Settings>();

export class ChangeSettingsRequest {
  @ObjectOf(SettingsChanges)
  changes!: SettingsChanges;

  @IsVersion()
  version?: number;
}

/**
 * Its pictures are stored before. Without a version the last one wins, field by field. SETTING_LOCKED, EDIT_CONFLICT, SETTINGS_UNUSABLE,
 * VALIDATION_FAILED for a picture that is not stored.
 */
export const ChangeSettings = defineMessage({
  service: 'admin',
  name: 'settings.change',
  access: 'admin',
  fresh: true,
  request: ChangeSettingsRequest,
})<Settings>();

/** One setting that a change has changed; long texts are cut. */
export interface SettingChange {
  name: SettingName;
  before: unknown;
  after: unknown;
}

export interface SettingsVersion {
  version: number;
  changedBy: string | null;
  changedAt: string;
  changes: SettingChange[];
}

/** The newest. */
export const ListSettingsVersions = defineMessage({
  service: 'admin',
  name: 'settings.listVersions',
  access: 'admin',
  reads: true,
  request: Nothing,
})<SettingsVersion[]>();

export class StoreCommunityPictureRequest {
  @ObjectOf(StoredPicture)
  picture!: StoredPicture;
}

/** One at a time: several would be larger than a message may be. What no version of the settings shows within a day is removed. */
export const StoreCommunityPicture = defineMessage({
  service: 'admin',
  name: 'settings.storePicture',
  access: 'admin',
  fresh: true,
  request: StoreCommunityPictureRequest,
})<void>();

export const GetCommunityPicture = defineMessage({
  service: 'admin',
  name: 'pictures.getCommunity',
  access: 'public',
  reads: true,
  request: GetPictureRequest,
})<PictureBytes>();
