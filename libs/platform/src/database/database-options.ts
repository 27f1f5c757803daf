import { Logger } from '@nestjs/common';
import { DEADLINES } from '@meetmark/contracts';
import { Client, type ClientConfig } from 'pg';
import { type DataSourceOptions, DefaultNamingStrategy, type EntitySchema } from 'typeorm';

interface DatabaseConfig {
  databaseUrl: string;
  databasePoolSize: number;
  /** Milliseconds to wait for a connection; DEADLINES.poolWait unless set. */
  databasePoolWait?: number;
  /** With 0, none is kept of the connections that are not used. */
  databasePoolReady?: number;
  /** Milliseconds after which one that is not used is closed. */
  databasePoolIdle?: number;
}

export interface DatabaseOwner {
  /** The schema that this process owns. */
  schema: string;
  // oxlint-disable-next-line typescript/no-unsafe-function-type -- TypeORM's own type of an entity class
  entities: (Function | EntitySchema)[];
  /** Settings that triggers read, by name, set on every connection. */
  settings?(config: DatabaseConfig): Record<string, string | number>;
}

/** Milliseconds beyond statement_timeout after which a silent server counts as lost. */
const SILENCE = 500;
/** Milliseconds of quiet after which the system asks whether the server is still there. */
export const KEEP_ALIVE = 5_000;
const CONNECTION_LIFE_SECONDS = 1_800;

/** TypeORM options of a process: bounded pool, bounded waits, no changes to the schema. */
export function databaseOptions(config: DatabaseConfig, owner: DatabaseOwner): DataSourceOptions {
  const logger = new Logger('Database');
  const settings = Object.entries(owner.settings?.(config) ?? {});
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
    // {id: undefined} would otherwise mean "any row"
    invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
    poolSize: config.databasePoolSize,
    connectTimeoutMS: config.databasePoolWait ?? DEADLINES.poolWait,
    // an idle connection that is cut would end the process without a handler
    poolErrorHandler: (error: Error) => logger.warn(`an idle database connection was lost: ${error.message}`),
    extra: {
      Client: HeardClient,
      ...(settings.length > 0 && {
        options: settings.map(([name, value]) => `-c ${name}=${value}`).join(' '),
      }),
      statement_timeout: DEADLINES.statement,
      lock_timeout: DEADLINES.lock,
      idle_in_transaction_session_timeout: DEADLINES.call,
      // the server enforces statement_timeout; this one is for a server that is silent
      query_timeout: DEADLINES.statement + SILENCE,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE,
      maxLifetimeSeconds: CONNECTION_LIFE_SECONDS,
      idleTimeoutMillis: config.databasePoolIdle,
      // the first query after a quiet time does not wait for a new connection, which on a busy machine can take too long
      min: config.databasePoolReady === 0 ? 0 : 1,
    },
  };
}

/**
 * A connection whose loss is never an error without a listener, which would end the process. A server that is killed ends a connection
 * right after it was made: both can be read at once, before who wanted the connection can listen. The statement on it then fails.
 */
class HeardClient extends Client {
  constructor(config?: ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}

const snake = (name: string) => name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();

/** `createdById` in code, `created_by_id` in SQL. Tables keep the name that their entity gives. */
class SnakeCaseColumns extends DefaultNamingStrategy {
  override columnName(property: string, customName: string | undefined, prefixes: string[]): string {
    return [...prefixes, customName ?? property].map(snake).join('_');
  }

  override joinColumnName(relation: string, referencedColumn: string): string {
    return snake(`${relation}_${referencedColumn}`);
  }
}
