import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync, type ValidationError } from 'class-validator';

export type ConfigClass<C extends object> = new () => C;

/** What is wrong with the environment, one line per variable. It never shows values: they may be secrets. */
export class ConfigError extends Error {
  constructor(readonly problems: string[]) {
    super(`The configuration is not valid:\n${problems.map((line) => `  - ${line}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/** databaseUrl -> DATABASE_URL */
export const environmentName = (property: string) =>
  property.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/**
 * Reads a configuration class from the environment: the one place that does. Every property with a class-validator
 * decorator is a variable; an initialiser is its default; an empty variable counts as absent.
 * @throws ConfigError naming every variable that is missing or wrong
 */
export function loadConfig<C extends object>(type: ConfigClass<C>, environment = process.env): C {
  const values: Record<string, string> = {};
  for (const property of propertiesOf(type)) {
    const value = environment[environmentName(property)];
    if (value !== undefined && value.trim() !== '') values[property] = value.trim();
  }
  const config = plainToInstance(type, values);
  const problems = validateSync(config, { forbidUnknownValues: true, stopAtFirstError: true }).map(describe);
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

function propertiesOf(type: ConfigClass<object>): Set<string> {
  const metadata = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  return new Set(metadata.map((entry) => entry.propertyName));
}

function describe(error: ValidationError): string {
  const reason = Object.values(error.constraints ?? { invalid: 'is not valid' }).join('; ');
  return `${environmentName(error.property)} ${reason.replace(`${error.property} `, '')}`;
}
