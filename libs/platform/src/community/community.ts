import { Global, Inject, Module } from '@nestjs/common';
import { readFileSync } from 'node:fs';
import { type Community, isWebUrl, LIMITS, SingleLine, type Sponsor } from '@meetmark/contracts';
import { plainToInstance, Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsEmail,
  IsInt,
  IsISO4217CurrencyCode,
  IsString,
  IsTimeZone,
  Max,
  Min,
  MinLength,
  ValidateBy,
  ValidateIf,
  ValidateNested,
  validateSync,
  type ValidationError,
} from 'class-validator';
import { ConfigError } from '../config/load-config.js';
import { StoreConfig } from '../config/service.config.js';

/**
 * Reads and validates `config/community.json`.
 * @throws ConfigError naming the file and every entry that is missing, wrong or unknown
 */
export function loadCommunity(path: string): Community {
  const content = parse(path);
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new ConfigError([`${path} must hold one JSON object`]);
  const community = plainToInstance(CommunityFile, content);
  const problems = validateSync(community, { whitelist: true, forbidNonWhitelisted: true });
  if (problems.length > 0)
    throw new ConfigError(problems.flatMap((error) => describe(error)).map((line) => `${path}: ${line}`));
  return community;
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

const TAGLINE_LENGTH = 300;
const FIRST_YEAR = 1900;
const LAST_YEAR = 9999;

const IsWebAddress = () =>
  ValidateBy({
    name: 'isWebAddress',
    validator: { validate: isWebUrl, defaultMessage: () => '$property must be a http or https address' },
  });

/** A local path, such as /sponsors/name.svg, or a web address. `//host/path` would lead to another site. */
const isLogoUrl = (value: unknown) =>
  typeof value === 'string' && (/^\/(?![/\\])[^\s\\]*$/.test(value) || isWebUrl(value));

const isLocale = (value: unknown) => {
  try {
    return typeof value === 'string' && Intl.DateTimeFormat.supportedLocalesOf(value).length === 1;
  } catch {
    return false; // Intl throws a RangeError for what is not a language tag
  }
};

class SponsorEntry implements Sponsor {
  @SingleLine(LIMITS.title)
  @MinLength(1)
  name!: string;

  @ValidateBy({
    name: 'isLogoUrl',
    validator: {
      validate: isLogoUrl,
      defaultMessage: () => '$property must be a path that begins with / or a http or https address',
    },
  })
  logoUrl!: string;

  @IsWebAddress()
  url!: string;
}

/** The rules of `config/community.json`. */
class CommunityFile implements Community {
  @SingleLine(LIMITS.name)
  @MinLength(1)
  name!: string;

  @SingleLine(TAGLINE_LENGTH)
  tagline!: string;

  @IsEmail()
  supportEmail!: string;

  @IsWebAddress()
  linkedInUrl!: string;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => SponsorEntry)
  sponsors!: SponsorEntry[];

  @IsInt()
  @Min(FIRST_YEAR)
  @Max(LAST_YEAR)
  copyrightYear!: number;

  @IsISO4217CurrencyCode()
  currency!: string;

  @IsTimeZone({ message: '$property must be an IANA name such as Europe/London' })
  timeZone!: string;

  @IsString()
  @ValidateBy({
    name: 'isLocale',
    validator: {
      validate: isLocale,
      defaultMessage: () => '$property must be a language tag such as en-GB',
    },
  })
  locale!: string;

  /** Files of earlier versions do not have it. */
  @ValidateIf((_, value) => value !== undefined)
  @SingleLine(LIMITS.paymentNote)
  @MinLength(1)
  paymentNoteDefault = 'Ask the organiser how to pay';

  /** As well. */
  @ValidateIf((_, value) => value !== undefined)
  @IsBoolean()
  memberProposals = false;
}

const COMMUNITY = Symbol('community');

/** The community's configuration, as a constructor parameter. */
export const InjectCommunity = () => Inject(COMMUNITY);

/** Loads the file of COMMUNITY_CONFIG once, when the process starts. */
const community = {
  provide: COMMUNITY,
  inject: [StoreConfig],
  useFactory: (config: StoreConfig & { communityConfig: string }) => loadCommunity(config.communityConfig),
};

/** The community's configuration for a whole process whose configuration has `communityConfig`. */
@Global()
@Module({ providers: [community], exports: [community] })
export class CommunityModule {}
