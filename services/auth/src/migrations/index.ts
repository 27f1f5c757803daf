import { FORMER_MEMBER } from '@meetmark/contracts/former-member';
import { RecordAudit } from '@meetmark/contracts/jobs';
import { ACCOUNT_CLOSED_FOR } from '@meetmark/contracts/limits';

export const migrations = {
  schema: 'auth',
  role: 'meetmark_auth',
  baseline: { file: 'services/auth/src/database/baseline.sql' },
  migrations: [],
  code: {
    folder: 'services/auth/src/database',
    values: {
      FORMER_MEMBER,
      RecordAudit: RecordAudit.name,
      closedFor: `${ACCOUNT_CLOSED_FOR / 1000} s`,
    },
  },
};
