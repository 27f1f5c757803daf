import { KeptCurrency1795536622000 } from './1795536622000-kept-currency.js';

export const migrations = {
  schema: 'admin',
  role: 'meetmark_admin',
  migrations: [KeptCurrency1795536622000],
  code: { folder: 'services/admin/src/database' },
};
