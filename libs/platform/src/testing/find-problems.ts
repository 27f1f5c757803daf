import { ConfigError } from '../config/load-config.js';

/** Returns the problems of a configuration that `load` reports. */
export function findProblems(load: () => unknown): string[] {
  try {
    load();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}
