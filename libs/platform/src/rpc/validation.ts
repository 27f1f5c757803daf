import { DomainError, LIMITS, type RequestClass } from '@meetmark/contracts';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validate, type ValidationError } from 'class-validator';
import { type Fault, fault, faultOf, missing, type Rule, tooLong } from './sentences.js';

/** Fields that a refusal names, and characters of a name: both come from the client. */
const NAMED = 50;
const NAME_LENGTH = 100;

/**
 * A validated instance of a contract class. Text that is longer than its field is refused before anything rewrites or judges it, since
 * either may take time by the square of the length.
 * @throws DomainError VALIDATION_FAILED that names each wrong field once, missing ones first
 */
export async function validated<T extends object>(type: RequestClass<T>, value: unknown): Promise<T> {
  if (!isObject(value)) throw invalid([['', { text: 'must be an object', rule: { rule: 'isObject' } }]]);
  const found: Found = { unknown: [], long: new Map() };
  const instance = plainToInstance(type, fitting(type, value, '', found));
  // class-validator refuses every instance of a class without rules, even an empty one
  const errors = fieldsOf(type).size === 0 ? [] : await validate(instance, RULES);
  const faults = [
    ...everyError(errors)
      .filter(({ error }) => isMissing(error))
      .map(missingField),
    ...found.unknown.map((name): Named => [name, fault(name, 'whitelistValidation')]),
    ...everyError(errors).filter(isWrong).map(wrongField),
    ...found.long,
  ];
  if (faults.length > 0) throw invalid(faults);
  return instance;
}

/** A field by its path, and what is wrong with it. */
type Named = [name: string, fault: Fault];

const RULES = {
  whitelist: true, // for nested objects that `fitting` does not know
  forbidNonWhitelisted: true,
  forbidUnknownValues: true,
  validationError: { target: true, value: false },
};

// For every object that it checks, class-validator goes through the rules of all classes to gather those of one, which takes several
// times as long as the check. They do not change once the class is there.
const storage = getMetadataStorage();
const gather = storage.getTargetValidationMetadatas.bind(storage);
const gathered = new Map<unknown, Rule[]>();
storage.getTargetValidationMetadatas = (type, schema, always, strictGroups, groups) => {
  if (schema || always || strictGroups || groups) return gather(type, schema, always, strictGroups, groups);
  let found = gathered.get(type);
  if (found === undefined) gathered.set(type, (found = gather(type, schema, always, strictGroups, groups)));
  return found;
};

const rulesOf = (type: RequestClass) => storage.getTargetValidationMetadatas(type, '', false, false);

/** The first fault of each field. */
function invalid(faults: Named[]): DomainError {
  const named = new Map<string, Fault>();
  for (const [name, each] of faults) if (!named.has(name)) named.set(name, each);
  const all = [...named];
  const byDepth = () => all.toSorted(([one], [other]) => depthOf(one) - depthOf(other));
  const kept = all.length > NAMED ? byDepth().slice(0, NAMED) : all;
  return new DomainError('VALIDATION_FAILED', {
    fields: Object.fromEntries(kept.map(([name, { text }]) => [name, [text]])),
    rules: Object.fromEntries(kept.map(([name, { rule }]) => [name, rule])),
  });
}

/** A list that is too long is more than what is wrong with its items. */
const depthOf = (name: string) => (name.match(/[.[]/g) ?? []).length;

interface Field {
  /** Characters of its text, or of each text in its list. */
  most: number;
  /** The class of its object, or of each object in its list. */
  type?: RequestClass;
}

/** The most characters of a field whose rules name no length. */
const MOST = LIMITS.url;

const knownFields = new Map<RequestClass, Map<string, Field>>();
function fieldsOf(type: RequestClass): Map<string, Field> {
  let known = knownFields.get(type);
  if (known !== undefined) return known;
  known = new Map();
  for (const rule of rulesOf(type)) {
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

/** What was found before the rules: fields that the class does not have, and texts that are too long, whatever the rules say of them. */
interface Found {
  unknown: string[];
  long: Map<string, Fault>;
}

/**
 * The object without unknown fields. A text is cut where it is longer than its field, spaces around it included, for the rules to refuse. class-transformer and class-validator overlook fields named
 * like properties of Object.prototype, and the former's time grows with the square of the number of fields.
 */
function fitting(type: RequestClass, value: object, path: string, found: Found): object {
  const known = fieldsOf(type);
  const kept: [string, unknown][] = [];
  for (const [name, given] of Object.entries(value)) {
    const field = known.get(name);
    const called = pathTo(field === undefined ? name.slice(0, NAME_LENGTH) : name, path);
    if (field === undefined) found.unknown.push(called);
    else kept.push([name, fittingValue(field, given, called, found)]);
  }
  return Object.fromEntries(kept);
}

function fittingValue(field: Field, value: unknown, name: string, found: Found): unknown {
  if (typeof value === 'string') {
    const kept = cut(value, field);
    if (kept !== value) found.long.set(name, tooLong(name, field.most));
    return kept;
  }
  if (Array.isArray(value))
    return value.map((item: unknown, index) => {
      if (typeof item === 'string') return cut(item, field);
      return field.type !== undefined && isObject(item)
        ? fitting(field.type, item, `${name}[${index}]`, found)
        : item;
    });
  return field.type !== undefined && isObject(value) ? fitting(field.type, value, name, found) : value;
}

const cut = (text: string, { most }: Field) => text.slice(0, most + LIMITS.spaces + 1);

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const missingField = ({ name, error }: NamedError): Named => {
  const said = Object.values(error.constraints ?? {}).find((text) => text.endsWith(IS_REQUIRED)) ?? '';
  return [name, missing(name, said.startsWith(`${error.property} `) ? '' : said)];
};

const wrongField = ({ name, error }: NamedError): Named => {
  const { target, property } = error;
  const rules = rulesOf((target as object).constructor as RequestClass);
  return [
    name,
    faultOf(
      name,
      error,
      rules.filter(({ propertyName }) => propertyName === property),
    ),
  ];
};

const IS_REQUIRED = ' is required';

const isWrong = ({ error }: NamedError) => error.constraints !== undefined && !isMissing(error);

/** A field that may be absent or null has a condition, so that it never causes an error. */
const isMissing = ({ target, property }: ValidationError) =>
  ((target as Record<string, unknown> | undefined)?.[property] ?? null) === null;

interface NamedError {
  name: string;
  error: ValidationError;
}

/** Errors of nested objects, by their path: `venue.name`, `agenda[3].title`. */
const everyError = (errors: ValidationError[], path = ''): NamedError[] =>
  errors.flatMap((error) => {
    const name = pathTo(error.property, path);
    return [{ name, error }, ...everyError(error.children ?? [], name)];
  });

const pathTo = (property: string, within: string) =>
  within === '' ? property : /^\d+$/.test(property) ? `${within}[${property}]` : `${within}.${property}`;
