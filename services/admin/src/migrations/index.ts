import { SOMEONE } from '@meetmark/contracts';

export const migrations = {
  schema: 'admin',
  role: 'meetmark_admin',
  baseline: { file: 'services/admin/src/database/baseline.sql' },
  migrations: [],
  code: { folder: 'services/admin/src/database', values: { someone: SOMEONE } },
};
