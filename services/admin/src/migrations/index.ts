import { SOMEONE, VISITOR } from '@meetmark/contracts/admin/audit-people';
import { FORMER_MEMBER } from '@meetmark/contracts/former-member';

export const migrations = {
  schema: 'admin',
  role: 'meetmark_admin',
  baseline: { file: 'services/admin/src/database/baseline.sql' },
  migrations: [],
  code: { folder: 'services/admin/src/database', values: { FORMER_MEMBER, SOMEONE, VISITOR } },
};
