import { ConfigError, loadConfig } from '@meetmark/platform';

/** sysexits.h: configuration error. */
const EX_CONFIG = 78;

/** A command of the operator: what it needs stands in the environment, and its result is what it prints and its exit code. */
export async function runCommand<Config extends object>(
  type: new () => Config,
  work: (config: Config) => Promise<void>,
): Promise<void> {
  try {
    await work(loadConfig(type));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = error instanceof ConfigError ? EX_CONFIG : 1;
  }
}
