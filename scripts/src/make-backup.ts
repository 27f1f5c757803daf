import fs from 'node:fs';
import { backUp } from './backup/back-up.js';
import { withOwnedDatabase } from './backup/owned-database.js';
import { fail, report } from './backup/report.js';

// node scripts/dist/make-backup.js FILE, or without FILE to standard output. Reads MIGRATION_DATABASE_URL.
const [file] = process.argv.slice(2);
try {
  const tables = await withOwnedDatabase((url) =>
    backUp(url, file ? fs.createWriteStream(file, { mode: 0o600, flags: 'wx' }) : process.stdout),
  );
  report('Backed up.', tables);
} catch (error) {
  fail(error);
}
