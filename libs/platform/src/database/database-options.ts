import { Logger } from '@nestjs/common';
import { DEADLINES } from '@meetmark/contracts';
import { Client, type ClientConfig } from 'pg';
import { type DataSourceOptions, DefaultNamingStrategy, type EntitySchema } from 'typeorm';

interface DatabaseConfig {
  databaseUrl: string;
  databasePoolSize: number;
  databasePoolWait?: number;
}

export interface DatabaseOwner {
  schema: string;
  // oxlint-disable-next-line typescript/no-unsafe-function-type -- TypeORM's own type of an entity class
  entities: (Function | EntitySchema)[];
}

/** Milliseconds after statement_timeout until a server that doesn't answer counts as lost. */
const SILENCE = 500;
/** Milliseconds of silence before TCP keep-alive probes. */
export const KEEP_ALIVE = 5_000;
const CONNECTION_LIFE_SECONDS = 1_800;

export function databaseOptions(config: DatabaseConfig, owner: DatabaseOwner): DataSourceOptions {
  const logger = new Logger('Database');
  return {
    type: 'postgres',
    url: config.databaseUrl,
    schema: owner.schema,
    entities: owner.entities,
    applicationName: `meetmark-${owner.schema}`,
    namingStrategy: new SnakeCaseColumns(),
    synchronize: false,
    migrationsRun: false,
    installExtensions: false,
    logging: false,
    // Otherwise `{ id: undefined }` would match any row.
    invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
    poolSize: config.databasePoolSize,
    connectTimeoutMS: config.databasePoolWait ?? DEADLINES.poolWait,
    // Without a handler, losing an idle connection would end the process.
    poolErrorHandler: (error: Error) => logger.warn(`Lost an idle database connection: ${error.message}`),
    extra: {
      Client: HeardClient,
      statement_timeout: DEADLINES.statement,
      lock_timeout: DEADLINES.lock,
      idle_in_transaction_session_timeout: DEADLINES.call,
      // A server that doesn't answer can't enforce statement_timeout, so the client has its own timeout.
      query_timeout: DEADLINES.statement + SILENCE,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE,
      maxLifetimeSeconds: CONNECTION_LIFE_SECONDS,
      // Keep one connection open, because opening one on a busy machine may take too long.
      min: 1,
    },
  };
}

/**
 * Ignores errors. Otherwise, a connection that is lost right after it opens would end the process. The next
 * statement reports the loss.
 */
class HeardClient extends Client {
  constructor(config?: ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}

const snake = (name: string) => name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();

class SnakeCaseColumns extends DefaultNamingStrategy {
  override columnName(property: string, customName: string | undefined, prefixes: string[]): string {
    return [...prefixes, customName ?? property].map(snake).join('_');
  }

  override joinColumnName(relation: string, referencedColumn: string): string {
    return snake(`${relation}_${referencedColumn}`);
  }
}
