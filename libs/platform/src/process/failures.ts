import type { Logger as PinoLogger } from 'pino';
import { ConfigError } from '../config/load-config.js';

/** sysexits.h: configuration error. Supervisors need not try again. */
const EX_CONFIG = 78;

/** Prints the list for whoever starts the process, who reads no JSON, and ends it. */
export function configFailure(error: unknown): never {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  return process.exit(EX_CONFIG);
}

/** An error that nobody handled leaves the process in an unknown state: say so in the log and let it be started anew. */
export function crashOnUnexpected(pino: PinoLogger): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error: unknown) => {
      pino.fatal({ err: error }, `the process ends: ${event}`);
      process.exit(1);
    });
}
