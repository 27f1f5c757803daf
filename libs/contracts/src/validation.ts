import { Transform, Type } from 'class-transformer';
import {
  getMetadataStorage,
  isEmail,
  IsInt,
  IsNotIn,
  IsOptional,
  IsTimeZone,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateBy,
  ValidateIf,
  ValidateNested,
  type ValidationArguments,
  type ValidationOptions,
} from 'class-validator';
import { normaliseEmail } from './email-address.js';
import { LIMITS, YEARS } from './limits.js';
import { markdownFault } from './markdown.js';
import type { RequestClass } from './message.js';
import { currentZoneName } from './zone-names.js';

type Decorate = (target: object, key: string) => void;
const all =
  (...decorators: Decorate[]): Decorate =>
  (target, key) =>
    decorators.forEach((d) => d(target, key));

type Rewrite = (text: string) => string;
const ifShortText = (rewrite: Rewrite, max: number, value: unknown) =>
  typeof value === 'string' && value.length <= max ? rewrite(value) : value;
/** Rewriting may take quadratic time, so texts longer than `max` stay unchanged. Other rules reject them. */
export const rewritten = (rewrite: Rewrite, max: number): Decorate =>
  Transform(({ value }: { value: unknown }) => ifShortText(rewrite, max, value)) as Decorate;
const eachRewritten = (rewrite: Rewrite, max: number): Decorate =>
  Transform(({ value }: { value: unknown }) =>
    Array.isArray(value) ? value.map((item: unknown) => ifShortText(rewrite, max, item)) : value,
  ) as Decorate;

const trim: Rewrite = (text) => text.trim();
export const inLowerCase: Rewrite = (text) => text.toLowerCase();

// Excludes control characters, and the direction marks that reorder the surrounding text. Allows joiners, which
// emoji and several scripts need. Database constraints have the same character class.
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const SINGLE_LINE = /^[^\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]*$/u;
// oxlint-disable-next-line no-control-regex -- as above; tab, line feed and carriage return may stay
const MULTI_LINE = /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/u;

export const isPlainText = (value: string): boolean => MULTI_LINE.test(value) && isWellFormed(value);

/** PostgreSQL would silently replace unpaired surrogates. */
const isWellFormed = (value: unknown) => typeof value === 'string' && !/\p{Surrogate}/u.test(value);

const IsWellFormed = (options?: ValidationOptions): Decorate =>
  ValidateBy(
    {
      name: 'isWellFormed',
      validator: {
        validate: isWellFormed,
        defaultMessage: () => '$property contains invalid Unicode',
      },
    },
    options,
  ) as Decorate;

export const SingleLine = (max: number): Decorate =>
  all(
    rewritten(trim, max + LIMITS.spaces),
    Matches(SINGLE_LINE, {
      message: '$property must be one line of text without control characters',
      context: { rule: 'isLine' },
    }) as Decorate,
    IsWellFormed(),
    MaxLength(max) as Decorate,
  );

export const PlainText = (max: number): Decorate =>
  all(
    Matches(MULTI_LINE, {
      message: '$property must be text without control characters',
      context: { rule: 'isText' },
    }) as Decorate,
    IsWellFormed(),
    MaxLength(max) as Decorate,
  );

export const MarkdownText = (max: number, isMarkdown: (object: object) => boolean = () => true): Decorate => {
  const faultIn = (value: unknown, object: object) =>
    typeof value === 'string' && value.length <= max && isMarkdown(object) ? markdownFault(value) : null;
  const validator = {
    validate: (value: unknown, args?: ValidationArguments) => faultIn(value, args!.object) === null,
    defaultMessage: (args?: ValidationArguments) => `$property ${faultIn(args!.value, args!.object)}`,
  };
  return all(PlainText(max), ValidateBy({ name: 'isMarkdown', validator }) as Decorate);
};

const SEEN = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

export const IsFilled = (message = '$property is required'): Decorate => {
  const validator = { validate: (value: unknown) => typeof value === 'string' && SEEN.test(value) };
  return all(
    MinLength(1, { message }) as Decorate,
    ValidateBy({ name: 'isFilled', validator }, { message, context: { rule: 'required' } }) as Decorate,
  );
};

export const RequiredText = (max: number, message?: string): Decorate =>
  all(rewritten(trim, max + LIMITS.spaces), PlainText(max), IsFilled(message));

export const IsName = (message: string): Decorate => all(SingleLine(LIMITS.name), IsFilled(message));

// validator.js allows 254 characters in total, Meetmark 255. Only ASCII, because normaliseEmail has converted
// the domain.
const EMAIL_PARTS = /^[ -~]{1,64}@([!-\-/-?A-~]{1,63}\.)+[!-\-/-?A-~]{1,63}$/;

const isEmailAddress = (value: unknown) =>
  typeof value === 'string' &&
  value.length <= LIMITS.email &&
  isEmail(value, { allow_utf8_local_part: false, ignore_max_length: true }) &&
  EMAIL_PARTS.test(value) &&
  normaliseEmail(value) === value;

/** Also normalises the email address. */
export const IsEmailAddress = (message = 'Invalid email address'): Decorate =>
  all(
    SingleLine(LIMITS.email),
    rewritten(normaliseEmail, LIMITS.email),
    ValidateBy({ name: 'isEmail', validator: { validate: isEmailAddress } }, { message }) as Decorate,
  );

/** Doesn't trim the password or check its strength. */
export const IsPassword = (): Decorate =>
  all(
    MinLength(1, { message: 'Password is required' }) as Decorate,
    MaxLength(LIMITS.password) as Decorate,
    IsWellFormed(),
    Matches(/^[^\u0000]*$/, { message: '$property contains a character that is not allowed' }) as Decorate, // oxlint-disable-line no-control-regex
  );

/** Doesn't use URL.canParse, which rejects letters such as ü in Node 20 after some thousand calls. */
export function parsedUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

const UNSEEN = '\\u007f-\\u00a0\\u1680\\u2000-\\u200a\\u2028-\\u202f\\u205f\\u2066-\\u2069\\u3000\\ufeff';
/** ASCII characters that a host's label must not contain. */
const NO_LABEL = '\\u0001-\\u002c\\u002e\\u002f\\u003a-\\u0040\\u005b-\\u005e\\u0060\\u007b-\\u007e';
const NO_LAST_LABEL = '\\u0001-\\u0040\\u005b-\\u005e\\u0060\\u007b-\\u007e';
const BYTE = '(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const HOST = `(${BYTE}([.]${BYTE}){3}|([^${NO_LABEL}${UNSEEN}]+[.])*[^${NO_LAST_LABEL}${UNSEEN}][^${NO_LABEL}${UNSEEN}]*[.]?)`;
const PORT = '(:(6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[0-9]{1,4}))?';
const PATH = `([/?#][^\\u0001-\\u0020${UNSEEN}]*)?`;

/**
 * Excludes URLs with credentials. The pattern works in both JavaScript and PostgreSQL. A spec checks that the
 * database constraints use the same pattern.
 */
export const WEB_URL_PATTERN = `^[Hh][Tt][Tt][Pp][Ss]?://${HOST}${PORT}${PATH}$`;
export const HTTPS_URL_PATTERN = WEB_URL_PATTERN.replace('[Ss]?', '[Ss]');
const WEB_URL = new RegExp(WEB_URL_PATTERN, 'u');
const HTTPS_URL = new RegExp(HTTPS_URL_PATTERN, 'u');

/**
 * Also parses the URL, because browsers reject hosts without a valid ASCII form. The pattern can't check
 * that.
 */
const fits = (pattern: RegExp, value: unknown): boolean =>
  typeof value === 'string' &&
  value.length <= LIMITS.url &&
  !value.includes('\0') &&
  pattern.test(value) &&
  parsedUrl(value) !== null;

export const isWebUrl = (value: unknown): boolean => fits(WEB_URL, value);

export const IsWebUrl = (max: number): Decorate =>
  all(
    SingleLine(max),
    ValidateBy({
      name: 'isWebUrl',
      validator: { validate: isWebUrl, defaultMessage: () => '$property must be an http or https URL' },
    }) as Decorate,
  );

export const IsHttpsUrl = (max: number): Decorate =>
  all(
    SingleLine(max),
    ValidateBy({
      name: 'isWebUrl',
      validator: {
        validate: (value) => fits(HTTPS_URL, value),
        defaultMessage: (args) =>
          /^https:\/\//i.test(String(args?.value))
            ? '$property must be an https URL'
            : '$property must start with https://',
      },
    }) as Decorate,
  );

interface ItemRule {
  holds: (item: never, index: number, list: unknown[]) => boolean;
  otherwise: string;
}

const IS_OBJECT = {
  holds: (item: unknown) => typeof item === 'object' && item !== null && !Array.isArray(item),
  otherwise: 'must be an object',
};
const IS_ID = {
  holds: (item: unknown) => typeof item === 'string' && UUID_PATTERN.test(item),
  otherwise: 'must be a UUID',
};

const IS_FIRST = {
  holds: (item: unknown, index: number, list: unknown[]) => list.indexOf(item) === index,
  otherwise: 'is a duplicate',
};

function findFault(list: unknown, max: number, rules: ItemRule[]): string | null {
  if (!Array.isArray(list)) return ' must be a list';
  if (list.length > max) return ` must have at most ${max} items`;
  for (const { holds, otherwise } of rules) {
    const index = list.findIndex((item, n) => !holds(item as never, n, list));
    if (index !== -1) return `[${index}] ${otherwise}`;
  }
  return null;
}

const IsListOf = (
  name: 'isListOf' | 'isListOfLines',
  [max, ...more]: [max: number, ...unknown[]],
  rules: ItemRule[],
): Decorate =>
  ValidateBy({
    name,
    constraints: [max, ...more],
    validator: {
      validate: (value) => findFault(value, max, rules) === null,
      defaultMessage: (args) => `${args!.property}${findFault(args!.value, max, rules)}`,
    },
  }) as Decorate;

export const ObjectOf = (type: RequestClass): Decorate =>
  all(
    ValidateBy({
      name: 'isObjectOf',
      constraints: [type],
      validator: { validate: IS_OBJECT.holds, defaultMessage: () => `$property ${IS_OBJECT.otherwise}` },
    }) as Decorate,
    Type(() => type) as Decorate,
    ValidateNested() as Decorate,
  );

export const ListOf = <T extends object>(
  type: RequestClass<T>,
  max: number,
  rule?: { holds: (item: T, index: number, list: T[]) => boolean; otherwise: string },
): Decorate =>
  all(
    IsListOf(
      'isListOf',
      [max, type],
      rule === undefined ? [IS_OBJECT] : [IS_OBJECT, rule as unknown as ItemRule],
    ),
    Type(() => type) as Decorate,
    ValidateNested({ each: true }) as Decorate,
  );

export const ListOfIds = (max: number): Decorate =>
  all(eachRewritten(inLowerCase, LIMITS.id), IsListOf('isListOf', [max], [IS_ID, IS_FIRST]));

export const ListOfLines = (max: number, length: number): Decorate => {
  const isLine = {
    holds: (item: unknown) =>
      typeof item === 'string' && SEEN.test(item) && SINGLE_LINE.test(item) && isWellFormed(item),
    otherwise: 'must be one line of text without control characters',
  };
  const isShort = {
    holds: (item: string) => item.length <= length,
    otherwise: `must have at most ${length} characters`,
  };
  return all(
    eachRewritten(trim, length + LIMITS.spaces),
    IsListOf('isListOfLines', [max, length], [isLine, isShort, IS_FIRST]),
  );
};

const EMPTY_IS_NULL = { emptyIsNull: true };

/** Turns an empty or missing value into null. The other rules don't apply to null. */
export const EmptyAsNull = (): Decorate =>
  all(
    Transform(({ value }: { value: unknown }) =>
      value === '' || value === undefined ? null : value,
    ) as Decorate,
    ValidateIf((_, value) => value !== null, { context: EMPTY_IS_NULL }) as Decorate,
  );

const ABOUT = Symbol('about');

interface About {
  description: string;
  example?: unknown;
}

export const About = (description: string, example?: unknown): Decorate =>
  ((target, key) => Reflect.defineMetadata(ABOUT, { description, example }, target, key)) as Decorate;

export const getAbout = (type: RequestClass, field: string): About | undefined =>
  Reflect.getMetadata(ABOUT, type.prototype as object, field) as About | undefined;

/**
 * Skips the other rules if the field is missing, but not if it is null, because the code doesn't expect null.
 */
export const IfGiven = (): Decorate => ValidateIf((_, value) => value !== undefined) as Decorate;

export const RESERVED_SLUGS: readonly string[] = (
  'about account admin api calendar contact create dashboard delete door edit event events feed feeds help home index legal login logout ' +
  'manage media new null preview privacy profile register search settings setup signin signup sitemap support terms undefined user users'
).split(' ');

const EVENT_SLUG = new RegExp(
  `^(?=.{${LIMITS.eventSlugMin},${LIMITS.eventSlug}}$)[a-z0-9][a-z0-9-]*[a-z0-9]$`,
);

export const IsEventSlug = (): Decorate =>
  all(
    Matches(EVENT_SLUG, {
      message: `$property must be ${LIMITS.eventSlugMin} to ${LIMITS.eventSlug} characters (a–z, 0–9 and -) and start and end with a letter or digit`,
      context: { rule: 'isEventSlug' },
    }) as Decorate,
    IsNotIn([...RESERVED_SLUGS], {
      message: '$property is reserved',
      context: { rule: 'isFree' },
    }) as Decorate,
  );

/** 256 random bits in base64url. Stored only as a hash. */
export const ADDRESS_TOKEN = /^[A-Za-z0-9_-]{43}$/;

export const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const IsId = (): Decorate =>
  Matches(UUID_PATTERN, { message: '$property must be a UUID', context: { rule: 'isId' } }) as Decorate;

const VERSION_MAX = 2 ** 31 - 1;

export const IsVersion = (): Decorate =>
  all(IsOptional() as Decorate, IsInt() as Decorate, Min(1) as Decorate, Max(VERSION_MAX) as Decorate);

/** Printable ASCII, as in the IETF draft. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

export const IsIdempotencyKey = (): Decorate =>
  Matches(IDEMPOTENCY_KEY, {
    message: '$property must be 1 to 255 visible ASCII characters',
    context: { rule: 'isIdempotencyKey' },
  }) as Decorate;

export const isIdempotencyKey = (value: unknown): value is string =>
  typeof value === 'string' && IDEMPOTENCY_KEY.test(value);

const MOMENT = /^(\d{4}-\d\d-)(\d\d)T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

export function isMoment(value: unknown): boolean {
  const [, month, day] = typeof value === 'string' ? (MOMENT.exec(value) ?? []) : [];
  if (month === undefined) return false;
  // Date.parse accepts February 30 and turns it into March 2.
  if (new Date(`${month}${day}`).getUTCDate() !== Number(day)) return false;
  const time = Date.parse(value as string);
  return time >= Date.UTC(YEARS.first, 0, 1) && time < Date.UTC(YEARS.last + 1, 0, 1);
}

const ZONE_LENGTH = 64;
const ZONE = { message: '$property must be an IANA name such as Europe/London' };
/** Rejects offsets such as +05:00, because calendars can't express them. */
export const IsZone = (): Decorate =>
  all(
    rewritten(currentZoneName, ZONE_LENGTH),
    IsTimeZone(ZONE) as Decorate,
    Matches(/^[A-Za-z]/, ZONE) as Decorate,
  );

export const IsMoment = (): Decorate =>
  ValidateBy({
    name: 'isMoment',
    validator: {
      validate: isMoment,
      defaultMessage: () =>
        `$property must be an ISO 8601 date and time with a zone, in a year from ${YEARS.first} to ${YEARS.last}`,
    },
  }) as Decorate;

type Condition = (object: object, value: unknown) => boolean;

/** Makes all fields optional. The form's rules still apply, so null clears only fields that may be empty. */
export function toChangesClass<T extends object>(form: RequestClass<T>): RequestClass<Partial<T>> {
  class Changes extends (form as RequestClass) {
    constructor() {
      super();
      // Remove defaults, or they would count as submitted values.
      for (const name of Object.keys(this)) Reflect.deleteProperty(this, name);
    }
  }
  const rules = getMetadataStorage().getTargetValidationMetadatas(form, '', false, false);
  for (const name of new Set(rules.map(({ propertyName }) => propertyName))) {
    const inherited = rules.filter(
      ({ propertyName, type }) => propertyName === name && type === 'conditionalValidation',
    );
    const conditions = inherited.flatMap(({ constraints }) => constraints as Condition[]);
    // This condition replaces the field's inherited conditions.
    ValidateIf(
      (object: object, value) => value !== undefined && conditions.every((holds) => holds(object, value)),
      { context: inherited[0]?.context as object | undefined },
    )(Changes.prototype, name);
  }
  return Changes as unknown as RequestClass<Partial<T>>;
}

export function withIds<T extends object, Name extends string>(
  form: RequestClass<T>,
  ...names: Name[]
): RequestClass<T & Record<Name, string>> {
  class WithIds extends (form as RequestClass) {}
  for (const name of names) IsId()(WithIds.prototype, name);
  return WithIds as RequestClass<T & Record<Name, string>>;
}

/** Adds objects that the gateway sets and clients can't. */
export function withObjects<T extends object, Added extends Record<string, RequestClass>>(
  form: RequestClass<T>,
  added: Added,
): RequestClass<T & { [Name in keyof Added]: InstanceType<Added[Name]> }> {
  class WithObjects extends (form as RequestClass) {}
  for (const [name, type] of Object.entries(added))
    all(ValidateNested() as Decorate, Type(() => type) as Decorate)(WithObjects.prototype, name);
  return WithObjects as never;
}
