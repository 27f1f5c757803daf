import { type DynamicModule, Global, Module, type Provider } from '@nestjs/common';
import pTimeout from 'p-timeout';
import type { Logger as PinoLogger } from 'pino';
import { type ConfigClass, ConfigError, loadConfig } from '../config/load-config.js';
import { warningsAbout } from '../config/production.js';
import { DEFAULT_RPC_PREFIX, ProcessConfig, ServiceConfig, StoreConfig } from '../config/service.config.js';
import { createLogger, NestLogger } from '../log/logger.js';
import { collectProcessMetrics } from '../operations/metrics.js';
import { OperationsServer } from '../operations/operations.server.js';
import { Readiness } from '../operations/readiness.js';
import { findMissingRefusals } from '../redis/required-refusals.js';
import { collectWhenIdle } from './idle-collection.js';
import { whenAskedToStop } from './stop-requests.js';

export interface ProcessParts<C> {
  config: C;
  platform: DynamicModule;
  logger: NestLogger;
  readiness: Readiness;
}

export interface RunningProcess {
  stop(): Promise<void>;
}

interface ProcessDefinition<C extends ProcessConfig> {
  name: string;
  config: ConfigClass<C>;
  open(parts: ProcessParts<C>): Promise<RunningProcess>;
  /** Maximum milliseconds for stopping, by default 9,000. After that, the process exits anyway. */
  stopWithin?: number;
}

const STOP_WITHIN = 9_000;

/**
 * Runs a process until SIGTERM, SIGINT or the end of its parent. Exits with code 78 if the configuration is
 * invalid.
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
  void requireRedisUser(definition.name, config);

  const running = open(definition, config, readiness, pino);
  const first = await Promise.race([running, stopAsked]);
  // The process was asked to stop while it waited for a dependency, so there is no work to complete.
  if (typeof first === 'string') return end(pino, first, 0);
  readiness.started();
  pino.info('started');
  collectWhenIdle();

  const reason = await stopAsked;
  readiness.stopping();
  pino.info(`stopping: ${reason}`);
  const clean = await stopWithin(first, definition.stopWithin ?? STOP_WITHIN, pino);
  await operations.close();
  end(pino, clean ? 'stopped' : 'stopped before all work was finished', clean ? 0 : 1);
}

function load<C extends object>(type: ConfigClass<C>): C {
  try {
    return loadConfig(type);
  } catch (error) {
    return configFailure(error);
  }
}

/** Exits in production if Redis lets this process read or remove messages for other services. */
async function requireRedisUser(name: string, config: ProcessConfig): Promise<void> {
  if (config.nodeEnv !== 'production' || !(config instanceof StoreConfig)) return;
  const prefix = config instanceof ServiceConfig ? config.rpcPrefix : DEFAULT_RPC_PREFIX;
  const problems = await findMissingRefusals({ process: name, redisUrl: config.redisUrl, prefix });
  if (problems.length > 0) configFailure(new ConfigError(problems));
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
    if (error instanceof ConfigError) return configFailure(error);
    pino.fatal({ err: error }, 'Could not start');
    return process.exit(1);
  }
}

async function stopWithin(running: RunningProcess, ms: number, pino: PinoLogger): Promise<boolean> {
  const stopped = running.stop().then(
    () => true,
    (error: unknown) => {
      pino.error({ err: error }, 'Could not stop cleanly');
      return false;
    },
  );
  return pTimeout(stopped, { milliseconds: ms, fallback: () => false });
}

function end(pino: PinoLogger, text: string, code: number): never {
  pino.info(text);
  return process.exit(code);
}

/** Exit code for an invalid configuration (sysexits.h). A restart wouldn't help. */
const EX_CONFIG = 78;

function configFailure(error: unknown): never {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  return process.exit(EX_CONFIG);
}

/** Exits on unexpected errors, so that the supervisor restarts the process. */
function crashOnUnexpected(pino: PinoLogger): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error: unknown) => {
      pino.fatal({ err: error }, `Exiting: ${event}`);
      process.exit(1);
    });
}

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
