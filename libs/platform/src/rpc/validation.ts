import { DomainError, LIMITS, NFC_SHRINKS, type RequestClass, toNfc } from '@meetmark/contracts';
import { cutText } from '@meetmark/contracts/cut-text';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validate, type ValidationError } from 'class-validator';
import { type Fault, fault, toFault, missing, type Rule, tooLong } from './sentences.js';

/** Limit the size of an error, because clients choose the number and the names of fields. */
const NAMED = 50;
const NAME_LENGTH = 100;

/**
 * Validates a request. Cuts overlong texts before it applies the rules, because a rule may take quadratic
 * time. The rules still reject the cut texts.
 * @throws DomainError VALIDATION_FAILED naming each invalid field once, missing fields first
 */
export async function validated<T extends object>(
  type: RequestClass<T>,
  value: unknown,
  { unknownFields = 'refused' }: { unknownFields?: 'refused' | 'removed' } = {},
): Promise<T> {
  const refusesUnknown = unknownFields === 'refused';
  if (!isObject(value)) throw invalid([['', { text: 'must be an object', rule: { rule: 'isObject' } }]]);
  const found: Found = { unknown: [], long: new Map() };
  const instance = plainToInstance(type, fitting(type, value, '', found));
  // class-validator rejects every instance of a class without rules.
  const errors =
    getFields(type).size === 0
      ? []
      : await validate(instance, { ...RULES, forbidNonWhitelisted: refusesUnknown });
  const faults = [
    ...everyError(errors)
      .filter(({ error }) => isMissing(error))
      .map(missingField),
    ...(refusesUnknown ? found.unknown : []).map((name): Named => [name, fault(name, 'whitelistValidation')]),
    ...everyError(errors).filter(isWrong).map(wrongField),
    ...found.long,
  ];
  if (faults.length > 0) throw invalid(faults);
  return instance;
}

type Named = [name: string, fault: Fault];

const RULES = {
  whitelist: true, // Also covers nested objects that `fitting` doesn't know.
  forbidUnknownValues: true,
  validationError: { target: true, value: false },
};

// Caches the rules of each class. Without the cache, class-validator would search the rules of all classes
// for every object, which is several times slower.
const storage = getMetadataStorage();
const gather = storage.getTargetValidationMetadatas.bind(storage);
const gathered = new Map<unknown, Rule[]>();
storage.getTargetValidationMetadatas = (type, schema, always, strictGroups, groups) => {
  if (schema || always || strictGroups || groups) return gather(type, schema, always, strictGroups, groups);
  let found = gathered.get(type);
  if (found === undefined) gathered.set(type, (found = gather(type, schema, always, strictGroups, groups)));
  return found;
};

const getRules = (type: RequestClass) => storage.getTargetValidationMetadatas(type, '', false, false);

function invalid(faults: Named[]): DomainError {
  const named = new Map<string, Fault>();
  for (const [name, each] of faults) if (!named.has(name)) named.set(name, each);
  const all = [...named];
  const byDepth = () => all.toSorted(([one], [other]) => getDepth(one) - getDepth(other));
  const kept = all.length > NAMED ? byDepth().slice(0, NAMED) : all;
  return new DomainError('VALIDATION_FAILED', {
    fields: Object.fromEntries(kept.map(([name, { text }]) => [name, [text]])),
    rules: Object.fromEntries(kept.map(([name, { rule }]) => [name, rule])),
  });
}

/** Returns the nesting depth of a field, such as 2 for `people[0].name`. */
const getDepth = (name: string) => (name.match(/[.[]/g) ?? []).length;

interface Field {
  /** Maximum characters of the field's text, or of each text in its list. */
  most: number;
  type?: RequestClass;
}

const MOST = LIMITS.url;

const knownFields = new Map<RequestClass, Map<string, Field>>();
function getFields(type: RequestClass): Map<string, Field> {
  let known = knownFields.get(type);
  if (known !== undefined) return known;
  known = new Map();
  for (const rule of getRules(type)) {
    const field = known.get(rule.propertyName) ?? { most: MOST };
    known.set(rule.propertyName, field);
    const [first, second] = (rule.constraints as unknown[] | undefined) ?? [];
    if (rule.name === 'maxLength') field.most = first as number;
    if (rule.name === 'isListOfLines') field.most = second as number;
    if (rule.name === 'isObjectOf') field.type = first as RequestClass;
    if (rule.name === 'isListOf') {
      if (second === undefined) field.most = LIMITS.id;
      else field.type = second as RequestClass;
    }
  }
  knownFields.set(type, known);
  return known;
}

interface Found {
  unknown: string[];
  long: Map<string, Fault>;
}

/**
 * Removes unknown fields and cuts texts to just over their limit, so that the rules still reject them.
 * class-transformer and class-validator are slow with many fields. They also ignore fields named like members
 * of Object.prototype.
 */
function fitting(type: RequestClass, value: object, path: string, found: Found): object {
  const known = getFields(type);
  const kept: [string, unknown][] = [];
  for (const [name, given] of Object.entries(value)) {
    const field = known.get(name);
    const called = pathTo(field === undefined ? cutText(name, NAME_LENGTH) : name, path);
    if (field === undefined) found.unknown.push(called);
    else kept.push([name, fittingValue(field, given, called, found)]);
  }
  return Object.fromEntries(kept);
}

function fittingValue(field: Field, value: unknown, name: string, found: Found): unknown {
  if (typeof value === 'string') {
    const kept = normalised(value, field);
    if (kept.length > longest(field)) found.long.set(name, tooLong(name, field.most));
    return kept;
  }
  if (Array.isArray(value))
    return value.map((item: unknown, index) => {
      if (typeof item === 'string') return normalised(item, field);
      return field.type !== undefined && isObject(item)
        ? fitting(field.type, item, `${name}[${index}]`, found)
        : item;
    });
  return field.type !== undefined && isObject(value) ? fitting(field.type, value, name, found) : value;
}

const longest = ({ most }: Field) => most + LIMITS.spaces;

function normalised(text: string, field: Field): string {
  const cut = longest(field) + 1;
  return toNfc(text.slice(0, cut * NFC_SHRINKS)).slice(0, cut);
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const missingField = ({ name, error }: NamedError): Named => {
  const said = Object.values(error.constraints ?? {}).find((text) => text.endsWith(IS_REQUIRED)) ?? '';
  return [name, missing(name, said.startsWith(`${error.property} `) ? '' : said)];
};

const wrongField = ({ name, error }: NamedError): Named => {
  const { target, property } = error;
  const rules = getRules((target as object).constructor as RequestClass);
  return [
    name,
    toFault(
      name,
      error,
      rules.filter(({ propertyName }) => propertyName === property),
    ),
  ];
};

const IS_REQUIRED = ' is required';

const isWrong = ({ error }: NamedError) => error.constraints !== undefined && !isMissing(error);

/** Optional fields never count as missing, because their rules are skipped if they have no value. */
const isMissing = ({ target, property }: ValidationError) =>
  ((target as Record<string, unknown> | undefined)?.[property] ?? null) === null;

interface NamedError {
  name: string;
  error: ValidationError;
}

const everyError = (errors: ValidationError[], path = ''): NamedError[] =>
  errors.flatMap((error) => {
    const name = pathTo(error.property, path);
    return [{ name, error }, ...everyError(error.children ?? [], name)];
  });

const pathTo = (property: string, within: string) =>
  within === '' ? property : /^\d+$/.test(property) ? `${within}[${property}]` : `${within}.${property}`;
