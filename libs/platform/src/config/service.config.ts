import { DEADLINES } from '@meetmark/contracts';
import { IsIn, IsString, IsUrl } from 'class-validator';
import { PublicUrlForPeople } from './production.js';
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

  /**
   * Connections that are open before this process takes requests, at most all: a new replica under load needs several at once, and on a
   * busy machine one can take longer to open than a request may wait. One of them is kept while it is idle; with 0 none is.
   */
  @IntegerVariable(0, 100)
  databasePoolReady = 1;

  /** Milliseconds after which a connection that is not used is closed. */
  @IntegerVariable(100, 3_600_000)
  databasePoolIdle = 10_000;

  /** Milliseconds that a call waits for a connection before it is refused. */
  @IntegerVariable(100, 60_000)
  databasePoolWait: number = DEADLINES.poolWait;

  @UrlVariable('redis', 'rediss')
  redisUrl!: string;
}

const ADDRESS = {
  protocols: ['http', 'https'],
  require_protocol: true,
  require_tld: false,
  allow_query_components: false,
};

/** The path of config/community.json. */
export const CommunityFileVariable = () => IsString({ message: 'must be the path of the community file' });

/** Adds what a process reads that shows the site's address and the community to people: `class C extends SiteConfig(ServiceConfig)`. */
// oxlint-disable-next-line typescript/no-explicit-any -- TypeScript asks for this type of a mixin's base
export function SiteConfig<Base extends new (...args: any[]) => ProcessConfig>(base: Base) {
  class Site extends base {
    /** The address that browsers use, without a path: links begin with it. https makes cookies Secure and named `__Host-`. */
    @IsUrl(ADDRESS, { message: 'must be an address that begins with http:// or https://' })
    @PublicUrlForPeople()
    publicUrl!: string;

    /** Path of config/community.json: its name, time zone and language. */
    @CommunityFileVariable()
    communityConfig!: string;
  }
  return Site;
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
  // of what admin passes on for a gateway of 1.0.0 (identity/passed-on-of-1.0.0.ts)
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
