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
} from '../community.js';
import { PATTERNS } from '../events/cover-pattern.js';
import { LIMITS } from '../limits.js';
import {
  FORMS_OF_ADDRESS,
  type FormOfAddress,
  isLocale,
  LOCALES,
  type ProductLocale,
} from '@meetmark/i18n/locales';
import { messagesTo, Nothing } from '../message.js';
import { GetPictureRequest, type PictureBytes, StoredPicture } from '../pictures.js';
import { RETENTION, RETENTION_MAX } from '../retention.js';
import {
  About,
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
  toChangesClass,
  isWebUrl,
} from '../validation.js';

const admin = messagesTo('admin');

const FIRST_YEAR = 1900;
const LAST_YEAR = 9999;

/** A stored image, or a file from the folder `public` next to `community.json`. Never an API path. */
const SITE_FILE =
  /^\/(?:media\/community\/[0-9a-f]{64}\.webp|(?!(?:api|media)\/)(?:[\w-][\w.~-]*\/)*[\w-][\w.~-]*\.\w+)$/;
/** The last label starts with a letter, so IP addresses don't match. */
const HOST_NAME = /^(?=.{1,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)*[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/;

/**
 * Returns the URL's origin for the content security policy. Allows only a plain host name, because other
 * characters could add rules to the policy.
 */
export function pictureOrigin(value: string | null): string | undefined {
  if (value === null || !isWebUrl(value)) return undefined;
  const { protocol, hostname, origin } = new URL(value);
  return protocol === 'https:' && HOST_NAME.test(hostname) ? origin : undefined;
}

/** Rejects `//host/path`, which browsers would load from another site. */
export const isPictureAddress = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length <= LIMITS.url &&
  (SITE_FILE.test(value) || pictureOrigin(value) !== undefined);

const IsPictureAddress = () =>
  ValidateBy({
    name: 'isPictureAddress',
    validator: {
      validate: isPictureAddress,
      defaultMessage: () => '$property must be the path of an image on this site or an https URL',
    },
  });

const VENUE_PLACE = '*';

/** Requires one `*` in the path or query. The host's IP address is checked later, when the map is fetched. */
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

/** Returns null for a venue without letters or digits, because a venue such as `..` would change the path. */
export const toMapUrl = (mapUrl: string, venue: string): string | null =>
  /[\p{L}\p{N}]/u.test(venue) ? mapUrl.replace(VENUE_PLACE, () => encodeURIComponent(venue)) : null;

const IsMapAddress = () =>
  ValidateBy({
    name: 'isMapAddress',
    validator: {
      validate: isMapAddress,
      defaultMessage: () =>
        '$property must be an https URL of a public host with one * in place of the address of the venue',
    },
  });

const isLanguageTag = (value: unknown) => {
  try {
    return typeof value === 'string' && Intl.DateTimeFormat.supportedLocalesOf(value).length === 1;
  } catch {
    return false;
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
  @About('Name of the sponsor')
  @SingleLine(LIMITS.title)
  @IsFilled()
  name!: string;

  @About('Path of an image on this site, an https URL, or a data URL')
  @IsPictureAddress()
  logoUrl!: string;

  @About('Website of the sponsor')
  @IsWebUrl(LIMITS.url)
  url!: string;
}

/**
 * Validates the settings of both the community file and the database. The file may omit settings that have a
 * default.
 */
export class SettingsFields implements CommunitySettings {
  @About('Name of the community', 'Leeds Search Meetup')
  @SingleLine(LIMITS.name)
  @IsFilled()
  name!: string;

  @About('Heading of the landing page', 'Come and meet each other')
  @IfGiven()
  @SingleLine(LIMITS.headline)
  @IsFilled()
  headline = 'Come and meet each other';

  @About('Sentence below the heading of the landing page')
  @SingleLine(LIMITS.tagline)
  tagline!: string;

  @About('Email address for questions')
  @IsEmail()
  supportEmail!: string;

  @About('LinkedIn page of the community')
  @EmptyAsNull()
  @IsWebUrl(LIMITS.linkedInUrl)
  linkedInUrl: string | null = null;

  @About('Logo: path of an image on this site, an https URL, or a data URL')
  @EmptyAsNull()
  @IsPictureAddress()
  logoUrl: string | null = null;

  @About('Brand colour. null: the product’s', '#aa3377')
  @EmptyAsNull()
  @IsBrandColour()
  brandColour: string | null = null;

  @About('Second colour. null: shades of the first')
  @EmptyAsNull()
  @IsBrandColour()
  secondColour: string | null = null;

  @About('Font of the site. null: the product’s')
  @EmptyAsNull()
  @IsIn(Object.keys(FONTS))
  font: FontName | null = null;

  @About('Image behind the heading of the landing page: path on this site, https URL, or data URL')
  @EmptyAsNull()
  @IsPictureAddress()
  heroUrl: string | null = null;

  @About('Number of the pattern behind the heading if there is no image. null: none chosen')
  @EmptyAsNull()
  @IsInt()
  @Min(1)
  @Max(PATTERNS)
  heroPattern: number | null = null;

  @About('Whether the landing page has buttons instead of the sign-in form')
  @IfGiven()
  @IsBoolean()
  signInButton = false;

  @About('Sponsors on the landing page')
  @ListOf(SponsorFields, LIMITS.sponsors)
  sponsors!: SponsorFields[];

  @About('Year in the footer', 2030)
  @IsInt()
  @Min(FIRST_YEAR)
  @Max(LAST_YEAR)
  copyrightYear!: number;

  @About('ISO 4217 code', 'GBP')
  @IsISO4217CurrencyCode()
  currency!: string;

  @About('IANA time zone', 'Europe/London')
  @IsZone()
  timeZone!: string;

  @About('Language tag of the community', 'en-GB')
  @IsString()
  @ValidateBy({
    name: 'isLocale',
    validator: {
      validate: isLanguageTag,
      defaultMessage: () => '$property must be a language tag such as en-GB',
    },
  })
  locale!: string;

  @About('Languages that members can choose. null: all')
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

  @About('Form of address in languages that have two')
  @IfGiven()
  @IsIn(FORMS_OF_ADDRESS)
  formOfAddress: FormOfAddress = 'formal';

  @About('First day of the week in calendars')
  @IfGiven()
  @IsIn(WEEK_STARTS)
  weekStart: WeekStart = 'locale';

  @About('How to pay for events that don’t say how')
  @IfGiven()
  @SingleLine(LIMITS.paymentNote)
  @IsFilled()
  paymentNoteDefault = PAYMENT_NOTE;

  @About('Whether members can propose events')
  @IfGiven()
  @IsBoolean()
  memberProposals = false;

  @About('Whether people can write to the hosts of events')
  @IfGiven()
  @IsBoolean()
  contactHost = true;

  @About('Whether attendees can choose to be shown to visitors')
  @IfGiven()
  @IsBoolean()
  publicAttendees = false;

  @About(
    'https URL of a map image, with `*` in place of the address of the venue. It may contain an API key, so only owners see it',
  )
  @EmptyAsNull()
  @IsMapAddress()
  mapUrl: string | null = null;

  @About('Name of the sender of emails. null: the name of the community')
  @EmptyAsNull()
  @SingleLine(LIMITS.name)
  senderName: string | null = null;

  @About('Whether owners need a second factor to use their rights')
  @IfGiven()
  @IsBoolean()
  adminSecondFactorRequired = false;

  @About('Terms, in Markdown')
  @EmptyAsNull()
  @MarkdownText(LIMITS.legalPage)
  terms: string | null = null;

  @About('Privacy policy, in Markdown')
  @EmptyAsNull()
  @MarkdownText(LIMITS.legalPage)
  privacy: string | null = null;

  @About('Whether members must accept the current terms before they can go on')
  @IfGiven()
  @IsBoolean()
  termsRequired = false;

  @About('Whether members must accept the current privacy policy before they can go on')
  @IfGiven()
  @IsBoolean()
  privacyRequired = false;

  @About('Days until the audit log forgets people. null: never')
  @EmptyAsNull()
  @IsInt()
  @Min(RETENTION.auditNamesDays)
  @Max(RETENTION_MAX)
  auditNamesDays: number | null = null;

  @About('Days after an event until answers to its questions are deleted. null: never')
  @EmptyAsNull()
  @IsInt()
  @Min(RETENTION.answersDays)
  @Max(RETENTION_MAX)
  answersDays: number | null = null;

  @About('Days after an event until its check-ins are deleted. null: never')
  @EmptyAsNull()
  @IsInt()
  @Min(RETENTION.checkInsDays)
  @Max(RETENTION_MAX)
  checkInsDays: number | null = null;

  @About('Days until an account without a verified email address is deleted. null: never')
  @EmptyAsNull()
  @IsInt()
  @Min(RETENTION.unconfirmedAccountsDays)
  @Max(RETENTION_MAX)
  unconfirmedAccountsDays: number | null = null;
}

export type SettingName = keyof CommunitySettings;

export const PICTURE_SETTINGS = ['logoUrl', 'heroUrl'] as const;

export const listImages = (settings: Partial<CommunitySettings>): [field: string, url: string | null][] => [
  ...PICTURE_SETTINGS.map((name): [string, string | null] => [name, settings[name] ?? null]),
  ...(settings.sponsors ?? []).map(({ logoUrl }, place): [string, string] => [
    `sponsors[${place}].logoUrl`,
    logoUrl,
  ]),
];

export const SettingsChanges = toChangesClass(SettingsFields);
export type SettingsChanges = Partial<CommunitySettings>;

export interface Settings {
  /** 1 means that all settings come from the community file. */
  version: number;
  settings: CommunitySettings;
  locked: SettingName[];
  changedBy: string | null;
  changedAt: string | null;
}

export const GetSettings = admin.admin('settings.get', Nothing)<Settings>();

export class ChangeSettingsRequest {
  @ObjectOf(SettingsChanges)
  changes!: SettingsChanges;

  @IsVersion()
  version?: number;
}

/**
 * New images must be stored first. If the request has no version, the last change of each field wins.
 * @throws SETTING_LOCKED
 * @throws EDIT_CONFLICT
 * @throws SETTINGS_UNUSABLE
 * @throws VALIDATION_FAILED if an image isn't stored
 */
export const ChangeSettings = admin.admin('settings.change', ChangeSettingsRequest, {
  fresh: 'sensitive',
})<Settings>();

/** Long texts are shortened. */
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

export const ListSettingsVersions = admin.admin('settings.listVersions', Nothing)<SettingsVersion[]>();

export class StoreCommunityPictureRequest {
  @ObjectOf(StoredPicture)
  picture!: StoredPicture;
}

/**
 * Stores one image per message, because messages are limited in size. Unused images are deleted after a day.
 */
export const StoreCommunityPicture = admin.admin('settings.storePicture', StoreCommunityPictureRequest, {
  fresh: 'sensitive',
})<void>();

export const GetCommunityPicture = admin.public('pictures.getCommunity', GetPictureRequest)<PictureBytes>();
