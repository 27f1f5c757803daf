import fs from 'node:fs';
import { withOwnedDatabase } from './backup/owned-database.js';
import { fail, report } from './backup/report.js';
import { restore } from './backup/restore.js';

// node scripts/dist/restore-backup.js [--replace] FILE, or without FILE from standard input. Reads MIGRATION_DATABASE_URL.
const args = process.argv.slice(2);
const file = args.find((argument) => !argument.startsWith('--'));
try {
  const tables = await withOwnedDatabase((url) =>
    restore(url, file ? fs.createReadStream(file) : process.stdin, { replace: args.includes('--replace') }),
  );
  report('Restored: every table has the rows and checksums of the backup.', tables);
} catch (error) {
  fail(error);
}
