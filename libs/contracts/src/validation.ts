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
import { LIMITS } from './limits.js';
import { markdownFault } from './markdown.js';
import type { RequestClass } from './message.js';

type Decorate = (target: object, key: string) => void;
const all =
  (...decorators: Decorate[]): Decorate =>
  (target, key) =>
    decorators.forEach((d) => d(target, key));

type Rewrite = (text: string) => string;
const ifShortText = (rewrite: Rewrite, max: number, value: unknown) =>
  typeof value === 'string' && value.length <= max ? rewrite(value) : value;
/**
 * The text as it is rewritten. One of more than `max` characters and anything else stay, for the rules to refuse: rewriting may take
 * time by the square of the length.
 */
export const rewritten = (rewrite: Rewrite, max: number): Decorate =>
  Transform(({ value }: { value: unknown }) => ifShortText(rewrite, max, value)) as Decorate;
const eachRewritten = (rewrite: Rewrite, max: number): Decorate =>
  Transform(({ value }: { value: unknown }) =>
    Array.isArray(value) ? value.map((item: unknown) => ifShortText(rewrite, max, item)) : value,
  ) as Decorate;

const trim: Rewrite = (text) => text.trim();
export const inLowerCase: Rewrite = (text) => text.toLowerCase();

// NUL cannot be stored, the other control characters have no place in a name, an address or a header.
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const SINGLE_LINE = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$/u;
// oxlint-disable-next-line no-control-regex -- as above; tab, line feed and carriage return may stay
const MULTI_LINE = /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/u;

/** Text with line breaks, as it can be stored. */
export const isPlainText = (value: string): boolean => MULTI_LINE.test(value) && isWellFormed(value);

/** Half of a surrogate pair, which PostgreSQL would silently replace. */
const isWellFormed = (value: unknown) => typeof value === 'string' && !/\p{Surrogate}/u.test(value);

const IsWellFormed = (options?: ValidationOptions): Decorate =>
  ValidateBy(
    {
      name: 'isWellFormed',
      validator: {
        validate: isWellFormed,
        defaultMessage: () => '$property contains text that is not valid',
      },
    },
    options,
  ) as Decorate;

/** One trimmed line of at most `max` characters. */
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

/** Plain text with line breaks. */
export const PlainText = (max: number): Decorate =>
  all(
    Matches(MULTI_LINE, {
      message: '$property must be text without control characters',
      context: { rule: 'isText' },
    }) as Decorate,
    IsWellFormed(),
    MaxLength(max) as Decorate,
  );

/** Markdown that is shown as such (`markdownFault`), where the object says that the text is Markdown. */
export const MarkdownText = (max: number, isMarkdown: (object: object) => boolean = () => true): Decorate => {
  const faultIn = (value: unknown, object: object) =>
    typeof value === 'string' && value.length <= max && isMarkdown(object) ? markdownFault(value) : null;
  const validator = {
    validate: (value: unknown, args?: ValidationArguments) => faultIn(value, args!.object) === null,
    defaultMessage: (args?: ValidationArguments) => `$property ${faultIn(args!.value, args!.object)}`,
  };
  return all(PlainText(max), ValidateBy({ name: 'isMarkdown', validator }) as Decorate);
};

/** Neither a blank nor a letter that takes no room or leaves it empty. */
const SEEN = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Text that one can see. */
export const IsFilled = (message = '$property is required'): Decorate => {
  const validator = { validate: (value: unknown) => typeof value === 'string' && SEEN.test(value) };
  return all(
    MinLength(1, { message }) as Decorate,
    ValidateBy({ name: 'isFilled', validator }, { message, context: { rule: 'required' } }) as Decorate,
  );
};

/** Trimmed text with line breaks that must be given. */
export const RequiredText = (max: number, message?: string): Decorate =>
  all(rewritten(trim, max + LIMITS.spaces), PlainText(max), IsFilled(message));

export const IsName = (message: string): Decorate => all(SingleLine(LIMITS.name), IsFilled(message));

// validator.js stops at 254 characters in all; ours is 255, so the lengths of the parts are judged here.
// In ASCII: what has no form of its own in it (normaliseEmail) is no address.
const EMAIL_PARTS = /^[ -~]{1,64}@([!-\-/-?A-~]{1,63}\.)+[!-\-/-?A-~]{1,63}$/;

const isEmailAddress = (value: unknown) =>
  typeof value === 'string' &&
  value.length <= LIMITS.email &&
  isEmail(value, { allow_utf8_local_part: false, ignore_max_length: true }) &&
  EMAIL_PARTS.test(value) &&
  normaliseEmail(value) === value;

/** What passes is in the form of `normaliseEmail`. */
export const IsEmailAddress = (message = 'Invalid email address'): Decorate =>
  all(
    SingleLine(LIMITS.email),
    rewritten(normaliseEmail, LIMITS.email),
    ValidateBy({ name: 'isEmail', validator: { validate: isEmailAddress } }, { message }) as Decorate,
  );

/** A password as somebody types it: not trimmed, no strength rule. */
export const IsPassword = (): Decorate =>
  all(
    MinLength(1, { message: 'Password is required' }) as Decorate,
    MaxLength(LIMITS.password) as Decorate,
    IsWellFormed(),
    Matches(/^[^\u0000]*$/, { message: '$property contains a character that is not allowed' }) as Decorate, // oxlint-disable-line no-control-regex
  );

/**
 * The address as browsers read it, null for what is none. In place of URL.canParse, which in Node 20 refuses every address with a letter
 * such as ü once it has been called some thousand times.
 */
export function parsedUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/** http or https, a host, no credentials, of at most LIMITS.url characters: judged by the WHATWG parser that browsers use. */
export function isWebUrl(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > LIMITS.url || /\s/.test(value)) return false;
  const url = parsedUrl(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

export const IsWebUrl = (max: number): Decorate =>
  all(
    SingleLine(max),
    ValidateBy({
      name: 'isWebUrl',
      validator: { validate: isWebUrl, defaultMessage: () => '$property must be a http or https address' },
    }) as Decorate,
  );

/** As IsWebUrl, and encrypted on its way. */
export const IsHttpsUrl = (max: number): Decorate =>
  all(
    SingleLine(max),
    ValidateBy({
      name: 'isWebUrl',
      validator: {
        validate: (value) => isWebUrl(value) && /^https:/i.test(value as string),
        defaultMessage: (args) =>
          /^https:\/\//i.test(String(args?.value))
            ? '$property must be a https address'
            : '$property must start with https://',
      },
    }) as Decorate,
  );

/** What an item of a list has to be, and what is said of one that is not. */
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
  otherwise: 'must be an id',
};

const IS_FIRST = {
  holds: (item: unknown, index: number, list: unknown[]) => list.indexOf(item) === index,
  otherwise: 'is named twice',
};

/** What is wrong with a list, naming the item; null when nothing is. */
function faultOf(list: unknown, max: number, rules: ItemRule[]): string | null {
  if (!Array.isArray(list)) return ' must be a list';
  if (list.length > max) return `[${max}] is one too many: there may be ${max}`;
  for (const { holds, otherwise } of rules) {
    const index = list.findIndex((item, n) => !holds(item as never, n, list));
    if (index !== -1) return `[${index}] ${otherwise}`;
  }
  return null;
}

/** `name` and what follows `max` tell the description of the API. */
const IsListOf = (
  name: 'isListOf' | 'isListOfLines',
  [max, ...more]: [max: number, ...unknown[]],
  rules: ItemRule[],
): Decorate =>
  ValidateBy({
    name,
    constraints: [max, ...more],
    validator: {
      validate: (value) => faultOf(value, max, rules) === null,
      defaultMessage: (args) => `${args!.property}${faultOf(args!.value, max, rules)}`,
    },
  }) as Decorate;

/** An object by the rules of its class. */
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

/** At most `max` objects, each by the rules of its class and by one more. */
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

/** At most `max` ids, each once. */
export const ListOfIds = (max: number): Decorate =>
  all(eachRewritten(inLowerCase, LIMITS.id), IsListOf('isListOf', [max], [IS_ID, IS_FIRST]));

/** At most `max` trimmed lines, each once and of at most `length` characters. */
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

/** Tells the description of the API. */
const EMPTY_IS_NULL = { emptyIsNull: true };

/** An optional field as forms send it: '' and null mean the same, and no other rule is asked of null. */
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

/** Says of a field in one sentence what it is, for who reads the code and for the description of the API. */
export const About = (description: string, example?: unknown): Decorate =>
  ((target, key) => Reflect.defineMetadata(ABOUT, { description, example }, target, key)) as Decorate;

export const aboutOf = (type: RequestClass, field: string): About | undefined =>
  Reflect.getMetadata(ABOUT, type.prototype as object, field) as About | undefined;

/** May be left out, and is not null: a null would reach code that counts on a value. */
export const IfGiven = (): Decorate => ValidateIf((_, value) => value !== undefined) as Decorate;

/** Words that are no event's address: people would take them for a page of the site, or of its administration. */
export const RESERVED_SLUGS: readonly string[] = (
  'about account admin api calendar contact create dashboard delete door edit event events feed feeds help home index legal login logout ' +
  'manage media new null preview privacy profile register search settings setup signin signup sitemap support terms undefined user users'
).split(' ');

const EVENT_SLUG = new RegExp(
  `^(?=.{${LIMITS.eventSlugMin},${LIMITS.eventSlug}}$)[a-z0-9][a-z0-9-]*[a-z0-9]$`,
);

/** The address of an event, as organisers may write it. */
export const IsEventSlug = (): Decorate =>
  all(
    Matches(EVENT_SLUG, {
      message: `$property must be ${LIMITS.eventSlugMin} to ${LIMITS.eventSlug} of a–z, 0–9 and -, and begin and end with a letter or digit`,
      context: { rule: 'isEventSlug' },
    }) as Decorate,
    IsNotIn([...RESERVED_SLUGS], {
      message: '$property is a word that the site keeps for itself',
      context: { rule: 'isFree' },
    }) as Decorate,
  );

/** What makes an address secret: 256 random bits, base64url; stored as a hash. */
export const ADDRESS_TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** A UUID in any letter case; ours are version 7. */
export const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const IsId = (): Decorate =>
  Matches(UUID_PATTERN, { message: '$property must be an id', context: { rule: 'isId' } }) as Decorate;

const VERSION_MAX = 2 ** 31 - 1;

/** The version of what is changed, as the client read it; may be left out. */
export const IsVersion = (): Decorate =>
  all(IsOptional() as Decorate, IsInt() as Decorate, Min(1) as Decorate, Max(VERSION_MAX) as Decorate);

/** Matches an Idempotency-Key: printable ASCII, as in the IETF draft. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

export const IsIdempotencyKey = (): Decorate =>
  Matches(IDEMPOTENCY_KEY, {
    message: '$property must be 1 to 255 visible ASCII characters',
    context: { rule: 'isIdempotencyKey' },
  }) as Decorate;

export const isIdempotencyKey = (value: unknown): value is string =>
  typeof value === 'string' && IDEMPOTENCY_KEY.test(value);

const MOMENT = /^(\d{4}-\d\d-)(\d\d)T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** A moment with an explicit zone, between the years 1900 and 9999. */
export function isMoment(value: unknown): boolean {
  const [, month, day] = typeof value === 'string' ? (MOMENT.exec(value) ?? []) : [];
  if (month === undefined) return false;
  // Date.parse takes the 30th of February for the 2nd of March
  if (new Date(`${month}${day}`).getUTCDate() !== Number(day)) return false;
  const time = Date.parse(value as string);
  return Number.isFinite(time) && time >= Date.UTC(1900, 0, 1) && time < Date.UTC(9999, 0, 1);
}

const ZONE = { message: '$property must be an IANA name such as Europe/London' };
/** What Intl of every process can format. It knows offsets such as +05:00, too, which calendars cannot name. */
export const IsZone = (): Decorate =>
  all(IsTimeZone(ZONE) as Decorate, Matches(/^[A-Za-z]/, ZONE) as Decorate);

export const IsMoment = (): Decorate =>
  ValidateBy({
    name: 'isMoment',
    validator: {
      validate: isMoment,
      defaultMessage: () => '$property must be an ISO 8601 date and time with a zone',
    },
  }) as Decorate;

type Condition = (object: object, value: unknown) => boolean;

/**
 * The fields of a form as a change of what is there: each may be left out and then keeps its value. What is given obeys the same
 * rules, so null clears a field where the form may leave it empty and is refused where it may not.
 */
export function changesOf<T extends object>(form: RequestClass<T>): RequestClass<Partial<T>> {
  class Changes extends (form as RequestClass) {
    constructor() {
      super();
      // what the form takes for granted would count as given
      for (const name of Object.keys(this)) Reflect.deleteProperty(this, name);
    }
  }
  const rules = getMetadataStorage().getTargetValidationMetadatas(form, '', false, false);
  for (const name of new Set(rules.map(({ propertyName }) => propertyName))) {
    const inherited = rules.filter(
      ({ propertyName, type }) => propertyName === name && type === 'conditionalValidation',
    );
    const conditions = inherited.flatMap(({ constraints }) => constraints as Condition[]);
    // it takes the place of the inherited conditions
    ValidateIf(
      (object: object, value) => value !== undefined && conditions.every((holds) => holds(object, value)),
      { context: inherited[0]?.context as object | undefined },
    )(Changes.prototype, name);
  }
  return Changes as unknown as RequestClass<Partial<T>>;
}
