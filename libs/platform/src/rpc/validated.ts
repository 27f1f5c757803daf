import { DomainError, type FieldErrors, type RequestClass } from '@meetmark/contracts';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validate, type ValidationError } from 'class-validator';

/**
 * A checked instance of a contract class from what arrived.
 * @throws DomainError VALIDATION_FAILED that names each wrong field
 */
export async function validated<T extends object>(type: RequestClass<T>, value: unknown): Promise<T> {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw invalid({ '': ['must be an object'] });
  const instance = plainToInstance(type, value);
  if (!hasRules(type)) {
    // class-validator refuses any instance of a class without rules, even the empty one
    const unknown = Object.keys(value).map((name) => [name, [`property ${name} should not exist`]]);
    if (unknown.length > 0) throw invalid(Object.fromEntries(unknown) as FieldErrors);
    return instance;
  }
  const errors = await validate(instance, {
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    validationError: { target: false, value: false },
  });
  if (errors.length > 0) throw invalid(fieldErrors(errors));
  return instance;
}

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

const hasRules = (type: RequestClass) =>
  storage.getTargetValidationMetadatas(type, '', false, false).length > 0;

/** `{ 'address.city': ['city is required'] }` */
function fieldErrors(errors: ValidationError[], path = ''): FieldErrors {
  const fields: FieldErrors = {};
  for (const error of errors) {
    const name = path === '' ? error.property : `${path}.${error.property}`;
    if (error.constraints) fields[name] = Object.values(error.constraints);
    Object.assign(fields, fieldErrors(error.children ?? [], name));
  }
  return fields;
}
