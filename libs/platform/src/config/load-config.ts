import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync, type ValidationError } from 'class-validator';

export type ConfigClass<C extends object> = new () => C;

/** Names variables but never shows their values, which may be secret. */
export class ConfigError extends Error {
  constructor(readonly problems: string[]) {
    super(
      `Invalid configuration. Correct this and start again:\n${problems.map((line) => `  - ${line}`).join('\n')}`,
    );
    this.name = 'ConfigError';
  }
}

export const environmentName = (property: string) =>
  property.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/**
 * Only this function reads the environment. An empty variable counts as unset.
 * @throws ConfigError naming every missing or invalid variable
 */
export function loadConfig<C extends object>(type: ConfigClass<C>, environment = process.env): C {
  const values: Record<string, string> = {};
  for (const property of listProperties(type)) {
    const value = environment[environmentName(property)];
    if (value !== undefined && value.trim() !== '') values[property] = value.trim();
  }
  const config = plainToInstance(type, values);
  const problems = validateSync(config, { forbidUnknownValues: true, stopAtFirstError: true }).map(describe);
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

function listProperties(type: ConfigClass<object>): Set<string> {
  const metadata = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  return new Set(metadata.map((entry) => entry.propertyName));
}

function describe(error: ValidationError): string {
  const reason = Object.values(error.constraints ?? { invalid: 'is not valid' }).join('; ');
  return `${environmentName(error.property)} ${reason.replace(`${error.property} `, '')}`;
}
