/** Must run after the migrations of auth, because tables refer to its users. */
export const migrations = {
  schema: 'gateway',
  role: 'meetmark_gateway',
  baseline: { file: 'gateway/src/database/baseline.sql' },
  migrations: [],
  code: { folder: 'gateway/src/database' },
};
