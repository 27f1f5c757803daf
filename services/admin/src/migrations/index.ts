import { RegistrationActivity1795219200000 } from './1795219200000-registration-activity.js';
import { AuditLog1795219201000 } from './1795219201000-audit-log.js';

export const migrations = {
  schema: 'admin',
  role: 'meetmark_admin',
  migrations: [RegistrationActivity1795219200000, AuditLog1795219201000],
};
