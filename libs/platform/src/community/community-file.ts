import { LIMITS, SingleLine, isWebUrl } from '@meetmark/contracts';
import type { Community, Sponsor } from '@meetmark/contracts';
import { Type } from 'class-transformer';
import {
  IsArray,
  IsEmail,
  IsInt,
  IsISO4217CurrencyCode,
  IsString,
  IsTimeZone,
  Max,
  Min,
  MinLength,
  ValidateBy,
  ValidateNested,
} from 'class-validator';

const TAGLINE_LENGTH = 300;
const FIRST_YEAR = 1900;
const LAST_YEAR = 9999;

const IsWebAddress = () =>
  ValidateBy({
    name: 'isWebAddress',
    validator: { validate: isWebUrl, defaultMessage: () => '$property must be a http or https address' },
  });

/** A path of our own, such as /sponsors/name.svg, or a web address. `//host/path` would be another site's. */
const isLogoUrl = (value: unknown) =>
  typeof value === 'string' && (/^\/(?![/\\])[^\s\\]*$/.test(value) || isWebUrl(value));

const isLocale = (value: unknown) => {
  try {
    return typeof value === 'string' && Intl.DateTimeFormat.supportedLocalesOf(value).length === 1;
  } catch {
    return false; // a RangeError is how Intl says "not a language tag"
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
export class CommunityFile implements Community {
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
}
