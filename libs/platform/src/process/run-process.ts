import { type DynamicModule, Global, Module, type Provider } from '@nestjs/common';
import pTimeout from 'p-timeout';
import type { Logger as PinoLogger } from 'pino';
import { type ConfigClass, ConfigError, loadConfig } from '../config/load-config.js';
import { warningsAbout } from '../config/production.js';
import { ProcessConfig, ServiceConfig, StoreConfig } from '../config/service.config.js';
import { createLogger, NestLogger } from '../log/logger.js';
import { collectProcessMetrics } from '../operations/metrics.js';
import { OperationsServer } from '../operations/operations.server.js';
import { Readiness } from '../operations/readiness.js';
import { collectWhenIdle } from './idle-collection.js';
import { whenAskedToStop } from './stop-requests.js';

/** What a process is built from. */
export interface ProcessParts<C> {
  config: C;
  /** Import it beside the process's own module. */
  platform: DynamicModule;
  logger: NestLogger;
  readiness: Readiness;
}

export interface RunningProcess {
  /** Accepts no new work, finishes the running work, closes its connections. */
  stop(): Promise<void>;
}

interface ProcessDefinition<C extends ProcessConfig> {
  name: string;
  config: ConfigClass<C>;
  open(parts: ProcessParts<C>): Promise<RunningProcess>;
  /** Milliseconds after which the process ends even if stop() is not done; 9 s by default. */
  stopWithin?: number;
}

const STOP_WITHIN = 9_000;

/**
 * Runs a process: configuration (exit code 78 when it is wrong), log, operations port, work, and on SIGTERM, SIGINT or the loss of its
 * parent an orderly end within a bounded time.
 */
export async function runProcess<C extends ProcessConfig>(definition: ProcessDefinition<C>): Promise<void> {
  const config = load(definition.config);
  const pino = createLogger({ name: definition.name, level: config.logLevel });
  crashOnUnexpected(pino);
  const stopAsked = whenAskedToStop();
  const readiness = new Readiness();
  const operations = new OperationsServer(readiness);
  collectProcessMetrics();
  const port = await operations.listen(config.operationsPort, config.operationsHost);
  pino.info({ operationsPort: port }, 'starting');
  for (const warning of warningsAbout(config)) pino.warn(warning);

  const running = open(definition, config, readiness, pino);
  const first = await Promise.race([running, stopAsked]);
  // still waiting for a dependency: there is nothing to drain
  if (typeof first === 'string') return end(pino, first, 0);
  readiness.started();
  pino.info('started');
  collectWhenIdle();

  const reason = await stopAsked;
  readiness.stopping();
  pino.info(`stopping: ${reason}`);
  const clean = await stopWithin(first, definition.stopWithin ?? STOP_WITHIN, pino);
  await operations.close();
  end(pino, clean ? 'stopped' : 'stopped before everything was finished', clean ? 0 : 1);
}

function load<C extends object>(type: ConfigClass<C>): C {
  try {
    return loadConfig(type);
  } catch (error) {
    return configFailure(error);
  }
}

async function open<C extends ProcessConfig>(
  definition: ProcessDefinition<C>,
  config: C,
  readiness: Readiness,
  pino: PinoLogger,
): Promise<RunningProcess> {
  const platform = PlatformModule.forProcess(definition.config, config, readiness);
  try {
    return await definition.open({ config, platform, logger: new NestLogger(pino), readiness });
  } catch (error) {
    // files that the environment names, such as the community's, are read only now
    if (error instanceof ConfigError) return configFailure(error);
    pino.fatal({ err: error }, 'the process could not start');
    return process.exit(1);
  }
}

async function stopWithin(running: RunningProcess, ms: number, pino: PinoLogger): Promise<boolean> {
  const stopped = running.stop().then(
    () => true,
    (error: unknown) => {
      pino.error({ err: error }, 'stopping failed');
      return false;
    },
  );
  return pTimeout(stopped, { milliseconds: ms, fallback: () => false });
}

function end(pino: PinoLogger, text: string, code: number): never {
  pino.info(text);
  return process.exit(code);
}

/** sysexits.h: configuration error. Supervisors need not try again. */
const EX_CONFIG = 78;

/** Prints the list as plain text for the operator, and ends the process. */
function configFailure(error: unknown): never {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  return process.exit(EX_CONFIG);
}

/** An unhandled error leaves the process in an unknown state: log it and exit, so that the supervisor restarts it. */
function crashOnUnexpected(pino: PinoLogger): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error: unknown) => {
      pino.fatal({ err: error }, `the process ends: ${event}`);
      process.exit(1);
    });
}

/** Makes the configuration (by its own class and those it extends) and Readiness injectable in the whole process. */
@Global()
@Module({})
export class PlatformModule {
  static forProcess<C extends ProcessConfig>(
    type: ConfigClass<C>,
    config: C,
    readiness: Readiness,
  ): DynamicModule {
    const configTypes = new Set<unknown>([type, ProcessConfig]);
    if (config instanceof StoreConfig) configTypes.add(StoreConfig);
    if (config instanceof ServiceConfig) configTypes.add(ServiceConfig);
    const providers = [...configTypes].map((token): Provider => ({
      provide: token as ConfigClass<C>,
      useValue: config,
    }));
    providers.push({ provide: Readiness, useValue: readiness });
    return { module: PlatformModule, providers, exports: providers };
  }
}
