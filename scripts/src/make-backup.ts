import { backUp, backUpToFile } from './backup/back-up.js';
import { withOwnedDatabase } from './backup/owned-database.js';
import { fail, report } from './backup/report.js';

// node scripts/dist/make-backup.js FILE, or without FILE to standard output. Reads MIGRATION_DATABASE_URL.
const [file] = process.argv.slice(2);
try {
  const tables = await withOwnedDatabase((url) =>
    file ? backUpToFile(url, file) : backUp(url, process.stdout),
  );
  report('Backed up.', tables);
} catch (error) {
  fail(error);
}
