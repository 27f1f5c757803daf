import { anyFreePort, launchPostgres } from '@meetmark/testing';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { RunRecord } from '../start/run-record.js';

const LOCAL = fileURLToPath(new URL('../../../.local', import.meta.url));

/**
 * Runs `work` with the owner's connection string of the database that `npm start` keeps.
 * @throws Error when `npm start` is running: it would be a second server on the same data
 */
export async function withLocalDatabase<T>(work: (url: string) => Promise<T>): Promise<T> {
  const run = await RunRecord.claim(path.join(LOCAL, 'run.json'), (message) => console.error(message));
  try {
    const server = await launchPostgres({
      directory: path.join(LOCAL, 'postgres'),
      logFile: path.join(LOCAL, 'logs/postgres.log'),
      port: await anyFreePort(),
      database: 'meetmark',
      durable: true,
      onSpawn: (pid) => run.addChild('postgres', pid),
    });
    try {
      return await work(server.url);
    } finally {
      await server.process.stop();
    }
  } finally {
    run.release();
  }
}
