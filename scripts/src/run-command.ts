import { ConfigError, loadConfig } from '@meetmark/platform';

/** Exit code of a configuration error in sysexits.h. */
const EX_CONFIG = 78;

/** Runs an operator's command with settings from the environment. Prints errors and sets the exit code. */
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
