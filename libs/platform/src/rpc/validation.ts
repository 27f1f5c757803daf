import { DomainError, type FieldErrors, type RequestClass } from '@meetmark/contracts';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validate, type ValidationError } from 'class-validator';

/**
 * A validated instance of a contract class.
 * @throws DomainError VALIDATION_FAILED that names each wrong field, missing ones first
 */
export async function validated<T extends object>(type: RequestClass<T>, value: unknown): Promise<T> {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw invalid({ '': ['must be an object'] });
  const known = fieldsOf(type);
  const surplus = Object.keys(value).filter((name) => !known.has(name));
  const instance = plainToInstance(type, surplus.length === 0 ? value : only(known, value));
  // class-validator refuses every instance of a class without rules, even an empty one
  const errors = known.size === 0 ? [] : await validate(instance, RULES);
  if (surplus.length + errors.length > 0)
    throw invalid({ ...missingFields(errors), ...surplusErrors(surplus), ...wrongFields(errors) });
  return instance;
}

const RULES = {
  whitelist: true, // for nested objects; the fields of the object itself are checked above
  forbidNonWhitelisted: true,
  forbidUnknownValues: true,
  validationError: { target: true, value: false },
};

// For every object that it checks, class-validator goes through the rules of all classes to gather those of one, which takes several
// times as long as the check. They do not change once the class is there.
const storage = getMetadataStorage();
const gather = storage.getTargetValidationMetadatas.bind(storage);
const gathered = new Map<unknown, ReturnType<typeof gather>>();
storage.getTargetValidationMetadatas = (type, schema, always, strictGroups, groups) => {
  if (schema || always || strictGroups || groups) return gather(type, schema, always, strictGroups, groups);
  let found = gathered.get(type);
  if (found === undefined) gathered.set(type, (found = gather(type, schema, always, strictGroups, groups)));
  return found;
};

const invalid = (fields: FieldErrors) => new DomainError('VALIDATION_FAILED', { fields });

const knownFields = new Map<RequestClass, Set<string>>();
function fieldsOf(type: RequestClass): Set<string> {
  let known = knownFields.get(type);
  if (known === undefined) {
    const rules = storage.getTargetValidationMetadatas(type, '', false, false);
    knownFields.set(type, (known = new Set(rules.map(({ propertyName }) => propertyName))));
  }
  return known;
}

// class-transformer and class-validator overlook fields named like properties of Object.prototype, and the former's time grows with
// the square of the number of fields: unknown fields are removed before.
const only = (known: Set<string>, value: object) =>
  Object.fromEntries(Object.entries(value).filter(([name]) => known.has(name)));

const surplusErrors = (names: string[]): FieldErrors =>
  Object.fromEntries(names.map((name) => [name, [`property ${name} should not exist`]]));

/** `{ email: ['email is required'] }`: for a missing field no other rule is helpful. */
const missingFields = (errors: ValidationError[]): FieldErrors =>
  Object.fromEntries(
    everyError(errors)
      .filter(({ error }) => isMissing(error))
      .map(({ name, error }) => [
        name,
        [
          ofField(
            name,
            error,
            messagesOf(error).find((message) => message.endsWith(IS_REQUIRED)) ?? `${name}${IS_REQUIRED}`,
          ),
        ],
      ]),
  );

/** `{ 'agenda[3].title': ['agenda[3].title must be shorter …'] }` */
const wrongFields = (errors: ValidationError[]): FieldErrors =>
  Object.fromEntries(
    everyError(errors)
      .filter(({ error }) => error.constraints !== undefined && !isMissing(error))
      .map(({ name, error }) => [name, messagesOf(error).map((message) => ofField(name, error, message))]),
  );

const messagesOf = ({ constraints = {} }: ValidationError) => Object.values(constraints);

/** The rules name the property; a nested one is named by its path. */
const ofField = (name: string, { property }: ValidationError, message: string) =>
  message.startsWith(`${property} `) ? name + message.slice(property.length) : message;

const IS_REQUIRED = ' is required';

/** A field that may be absent or null has a condition, so that it never causes an error. */
const isMissing = ({ target, property }: ValidationError) =>
  ((target as Record<string, unknown> | undefined)?.[property] ?? null) === null;

/** Errors of nested objects, by their path: `venue.name`, `agenda[3].title`. */
const everyError = (errors: ValidationError[], path = ''): { name: string; error: ValidationError }[] =>
  errors.flatMap((error) => {
    const name = pathTo(error.property, path);
    return [{ name, error }, ...everyError(error.children ?? [], name)];
  });

const pathTo = (property: string, within: string) =>
  within === '' ? property : /^\d+$/.test(property) ? `${within}[${property}]` : `${within}.${property}`;
