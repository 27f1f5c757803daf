import { serverAccount } from '@meetmark/testing';
import fs from 'node:fs';
import path from 'node:path';

const OTHERS = 0o077;
const OWNER_ONLY = { directory: 0o700, file: 0o600 };

/** Denies other users access to all files that this process creates later. */
export const keepFilesPrivate = (): number => process.umask(OTHERS);

/**
 * Creates a directory that other users can't enter. If we run as root, the directory belongs to PostgreSQL's
 * account, because PostgreSQL stores its data inside.
 */
export function makePrivateDirectory(directory: string): void {
  fs.mkdirSync(directory, { recursive: true });
  const account = serverAccount();
  if (account) fs.chownSync(directory, account.uid, account.gid);
  fs.chmodSync(directory, OWNER_ONLY.directory);
}

/** Removes other users' access to everything below a directory. Doesn't follow symbolic links. */
export function closeContents(directory: string): void {
  for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
    const each = path.join(directory, entry.name);
    try {
      if (entry.isFile()) close(each, OWNER_ONLY.file);
      if (!entry.isDirectory()) continue;
      close(each, OWNER_ONLY.directory);
      closeContents(each);
    } catch (error) {
      // Another process may have deleted the file.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

function close(file: string, mode: number): void {
  if (fs.statSync(file).mode & OTHERS) fs.chmodSync(file, mode);
}
