export interface SharedServer {
  /** Of PostgreSQL the owner's, for `database`. */
  url: string;
  stop(): Promise<void>;
}

/** Where a run's one PostgreSQL and one Redis come from. Neither keeps anything. */
export interface SharedServers {
  postgres(database: string): Promise<SharedServer>;
  redis(databases: number): Promise<SharedServer>;
}
