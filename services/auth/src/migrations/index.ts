export const migrations = {
  schema: 'auth',
  role: 'meetmark_auth',
  baseline: { file: 'services/auth/src/database/baseline.sql' },
  migrations: [],
  code: { folder: 'services/auth/src/database' },
};
