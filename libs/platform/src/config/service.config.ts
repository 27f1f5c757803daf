import { DEADLINES } from '@meetmark/contracts';
import { IsIn, IsString } from 'class-validator';
import type { MessageSecrets } from '../identity/message-signing.js';
import { IntegerVariable, PublicKeysVariable, UrlVariable } from './fields.js';

const MAX_PORT = 65_535;

/** What every process reads. */
export class ProcessConfig {
  @IsIn(['production', 'development', 'test'], { message: 'must be production, development or test' })
  nodeEnv: 'production' | 'development' | 'test' = 'production';

  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    message: 'must be fatal, error, warn, info, debug, trace or silent',
  })
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent' = 'info';

  /** Health and metrics; internal, never published. 0 takes any free port. */
  @IntegerVariable(0, MAX_PORT)
  operationsPort = 9090;

  /** Address the operations port listens on. */
  @IsString()
  operationsHost = '0.0.0.0';
}

/** What every process with stores reads: PostgreSQL, under its own role, and Redis. */
export class StoreConfig extends ProcessConfig {
  /** PostgreSQL, with the role of this process. */
  @UrlVariable('postgres', 'postgresql')
  databaseUrl!: string;

  /** Connections of this process; the sum over all replicas stays below max_connections - 10. */
  @IntegerVariable(1, 100)
  databasePoolSize = 10;

  /** Milliseconds that a call waits for a connection before it is refused. */
  @IntegerVariable(100, 60_000)
  databasePoolWait: number = DEADLINES.poolWait;

  @UrlVariable('redis', 'rediss')
  redisUrl!: string;
}

/** What every process reads that exchanges messages; the worker does not. */
export class ServiceConfig extends StoreConfig implements MessageSecrets {
  /** Verify the identities on messages; the gateway alone can sign them. */
  @PublicKeysVariable()
  identityPublicKeys!: string[];

  // Each is shared by two processes, for the messages of the one to the other; the class of a process adds those that it has.
  declare gatewayAuthSecrets?: string[];
  declare gatewayEventsSecrets?: string[];
  declare gatewayAdminSecrets?: string[];
  declare adminAuthSecrets?: string[];
  declare adminEventsSecrets?: string[];

  /** Prefix of every Redis key and channel of the transport. */
  @IsString()
  rpcPrefix = 'rpc';

  /** Messages that one replica works on at the same time. */
  @IntegerVariable(1, 10_000)
  rpcConcurrency = 64;

  /** Messages taken from the queue at once: more is faster, fewer is fairer between replicas (docs/adr/0001). */
  @IntegerVariable(1, 1_000)
  rpcBatch = 4;

  /** Waiting messages of one service beyond which callers are refused at once. */
  @IntegerVariable(1, 100_000)
  rpcMaxQueue = 1_000;
}
