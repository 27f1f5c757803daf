import { KeptCurrency1795536622000 } from './1795536622000-kept-currency.js';
import { LastBackup1795772090000 } from './1795772090000-last-backup.js';
import { MailCheck1795773300000 } from './1795773300000-mail-check.js';

export const migrations = {
  schema: 'admin',
  role: 'meetmark_admin',
  migrations: [KeptCurrency1795536622000, LastBackup1795772090000, MailCheck1795773300000],
  code: { folder: 'services/admin/src/database' },
};
