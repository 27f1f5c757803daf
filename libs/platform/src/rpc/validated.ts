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

const invalid = (fields: FieldErrors) => new DomainError('VALIDATION_FAILED', { fields });

const rules = new Map<RequestClass, boolean>();
function hasRules(type: RequestClass): boolean {
  const known = rules.get(type);
  if (known !== undefined) return known;
  const found = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false).length > 0;
  rules.set(type, found);
  return found;
}

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
