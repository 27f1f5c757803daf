import { backUp, backUpToFile, noteBackup } from './backup/back-up.js';
import { withOwnedDatabase } from './backup/owned-database.js';
import { fail, report } from './backup/report.js';

// node scripts/dist/make-backup.js FILE, or without FILE to standard output. Reads MIGRATION_DATABASE_URL.
const [file] = process.argv.slice(2);
try {
  const tables = await withOwnedDatabase(async (url) => {
    const madeAt = new Date();
    const written = await (file ? backUpToFile(url, file) : backUp(url, process.stdout));
    await noteBackup(url, madeAt).catch((error: Error) =>
      console.error(
        `The backup is whole, but administrators are not shown when it was made: ${error.message}`,
      ),
    );
    return written;
  });
  report('Backed up.', tables);
} catch (error) {
  fail(error);
}
