import { RegistrationActivity1795219200000 } from './1795219200000-registration-activity.js';
import { AuditLog1795219201000 } from './1795219201000-audit-log.js';
import { AuditWithoutNames1795333402000 } from './1795333402000-audit-without-names.js';
import { CommunitySettings1795390000000 } from './1795390000000-community-settings.js';
import { AuditValues1795391000000 } from './1795391000000-audit-values.js';
import { AuditSubjects1795432000000 } from './1795432000000-audit-subjects.js';
import { KeptCurrency1795536622000 } from './1795536622000-kept-currency.js';

export const migrations = {
  schema: 'admin',
  role: 'meetmark_admin',
  migrations: [
    RegistrationActivity1795219200000,
    AuditLog1795219201000,
    AuditWithoutNames1795333402000,
    CommunitySettings1795390000000,
    AuditValues1795391000000,
    AuditSubjects1795432000000,
    KeptCurrency1795536622000,
  ],
  code: { folder: 'services/admin/src/database' },
};
