import { DEADLINES } from '@meetmark/contracts';
import { IsIn, IsString, IsUrl } from 'class-validator';
import { PublicUrlForPeople } from './production.js';
import { IntegerVariable, PublicKeysVariable, SecretsVariable, UrlVariable } from './fields.js';

const MAX_PORT = 65_535;
export const DEFAULT_RPC_PREFIX = 'rpc';

export class ProcessConfig {
  @IsIn(['production', 'development', 'test'], { message: 'must be production, development or test' })
  nodeEnv: 'production' | 'development' | 'test' = 'production';

  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    message: 'must be fatal, error, warn, info, debug, trace or silent',
  })
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent' = 'info';

  /** Port for health checks and metrics. It must not be reachable from outside. 0 picks a free port. */
  @IntegerVariable(0, MAX_PORT)
  operationsPort = 9090;

  @IsString()
  operationsHost = '0.0.0.0';
}

export class StoreConfig extends ProcessConfig {
  @UrlVariable('postgres', 'postgresql')
  databaseUrl!: string;

  /** The pools of all replicas together must stay below PostgreSQL's max_connections - 10. */
  @IntegerVariable(1, 100)
  databasePoolSize = 10;

  /** Connections to open before this process accepts requests, because opening them under load is slow. */
  @IntegerVariable(1, 100)
  databasePoolReady = 1;

  /** Milliseconds. */
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

export const CommunityFileVariable = () => IsString({ message: 'must be the path of community.json' });

// oxlint-disable-next-line typescript/no-explicit-any -- TypeScript asks for this type of a mixin's base
export function SiteConfig<Base extends new (...args: any[]) => ProcessConfig>(base: Base) {
  class Site extends base {
    /** Must have no path. With https, cookies are Secure and their names start with `__Host-`. */
    @IsUrl(ADDRESS, { message: 'must be a URL that starts with http:// or https://, without a path' })
    @PublicUrlForPeople()
    publicUrl!: string;

    @CommunityFileVariable()
    communityConfig!: string;
  }
  return Site;
}

export class ServiceConfig extends StoreConfig {
  /** Only the gateway has the private key. */
  @PublicKeysVariable()
  identityPublicKeys!: string[];

  /** Gateway, auth, events and admin share these secrets to encrypt messages in Redis. */
  @SecretsVariable()
  rpcSecrets!: string[];

  @IsString()
  rpcPrefix = DEFAULT_RPC_PREFIX;

  @IntegerVariable(1, 10_000)
  rpcConcurrency = 64;

  /** Larger batches are faster; smaller ones distribute work better (docs/adr/0001). */
  @IntegerVariable(1, 1_000)
  rpcBatch = 4;

  @IntegerVariable(1, 100_000)
  rpcMaxQueue = 1_000;
}
