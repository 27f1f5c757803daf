import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { until } from '@meetmark/testing';
import type { ApiClient } from '@meetmark/testing/http-client';
import { PROCESSES } from '../stack/processes.js';
import { expectEqual, type Checks } from './checks.js';
import { containers, field, readManifests } from '../manifests/manifest.js';
import { docker, type Compose } from './compose.js';

const OPERATIONS = path.resolve(import.meta.dirname, '../../../docs/operations.md');
const POSTGRES_IMAGE = process.env['POSTGRES_IMAGE'] || 'postgres:17';
const FILE = 'backup.dump';
const OWNER_ONLY = 0o600;
const ANSWERS_WITHIN_MS = 120_000;

interface Installations {
  source: Compose;
  empty: Compose;
  administrator: ApiClient;
  password: string;
  directory: string;
}

export async function checkBackup(
  checks: Checks,
  { source, empty, administrator, password, directory }: Installations,
): Promise<void> {
  const file = path.join(directory, FILE);
  let content = '';
  await checks.check('a restore is refused while services are connected', () =>
    expectRefusal(restore(source, Buffer.alloc(0), '--replace'), 'stop the services first (meetmark_'),
  );
  await source.run('stop', ...PROCESSES);
  await checks.check('the documented commands write a dump that only its owner can read', async () => {
    content = await dumpContent(source);
    await source.shell(documentedCommands('pg_dump -Fc -U meetmark'), directory);
    expectEqual(statSync(file).mode & 0o777, OWNER_ONLY, 'mode');
  });
  await checks.check('it restores into an empty installation without a difference', async () => {
    await empty.run('up', '-d', '--wait', 'postgres');
    await empty.run('run', '--rm', '-T', 'migrate');
    await restore(empty, readFileSync(file));
    expectEqual(await dumpContent(empty), content, 'content');
    return `${content.length} bytes of SQL`;
  });
  await checks.check('a restore without --replace, or of half a dump, changes nothing', async () => {
    await empty.sql('DELETE FROM events.events');
    const changed = await dumpContent(empty);
    const dump = readFileSync(file);
    await expectRefusal(restore(empty, dump), 'Use --replace');
    await expectRefusal(
      restore(empty, dump.subarray(0, dump.length / 2), '--replace'),
      'Nothing was changed',
    );
    expectEqual(await dumpContent(empty), changed, 'content');
  });
  await checks.check("the CronJob's commands write a dump that only their user can read", async () => {
    const backup = containers(readManifests('base')).find(({ name }) => name === 'backup');
    const [shell = '', flags = '', script = ''] = field<string[]>(backup, 'command');
    const url = `postgres://meetmark:${password}@postgres:5432/meetmark`;
    const pod = ['--user', '999:999', '--read-only', '--tmpfs', '/backups:mode=1777'];
    const access = ['--network', source.network('migrate'), '-e', `MIGRATION_DATABASE_URL=${url}`];
    const commands = [shell, flags, `${script}ls -l /backups`];
    const listed = await docker('run', '--rm', ...pod, ...access, POSTGRES_IMAGE, ...commands);
    if (!/^-rw------- .* meetmark-\S+\.dump$/m.test(listed)) throw new Error(listed);
  });
  await checks.check('System shows the backup, until the documented commands have restored it', async () => {
    await source.run('start', ...PROCESSES);
    const lastBackup = () => fetchLastBackup(administrator);
    await until('System shows a backup', ANSWERS_WITHIN_MS, async () => Boolean(await lastBackup()));
    await source.sql('DELETE FROM events.events');
    await source.shell(documentedCommands('redis-cli --user operator FLUSHALL'), directory);
    await until('System shows none', ANSWERS_WITHIN_MS, async () => (await lastBackup()) === null);
    expectEqual(await source.sql('SELECT count(*) > 0 FROM events.events'), 't', 'events');
  });
}

const restore = (compose: Compose, dump: Buffer, ...options: string[]) =>
  compose.pipe(dump, 'exec', '-T', 'postgres', 'sh', '/etc/meetmark/restore.sh', ...options);

/**
 * Returns the whole database as SQL. Removes what differs between dumps of equal databases: pg_dump's random
 * key, and parentheses in constraints and triggers.
 */
async function dumpContent(compose: Compose): Promise<string> {
  const dump = ['pg_dump', '--no-owner', '-U', 'meetmark', 'meetmark'];
  const sql = await compose.run('exec', '-T', 'postgres', ...dump);
  return sql
    .replaceAll(/^\\(un)?restrict .*$/gm, '')
    .replaceAll(/^( +CONSTRAINT|CREATE TRIGGER) .*$/gm, (line) => line.replaceAll(/[()]/g, ''));
}

/**
 * Returns the shell block of docs/operations.md that contains `part`. Replaces the backup's file name
 * with `FILE`.
 */
function documentedCommands(part: string): string {
  const blocks = readFileSync(OPERATIONS, 'utf8').matchAll(/```sh\n([^]*?)```/g);
  const found = [...blocks].find(
    ([, block = '']) => block.includes('docker compose') && block.includes(part),
  );
  if (found === undefined) throw new Error(`docs/operations.md has no command with ${part}`);
  return found[1]!.replace(/meetmark-.*\.dump/, FILE);
}

async function fetchLastBackup(administrator: ApiClient): Promise<string | null | undefined> {
  const { status, body } = await administrator
    .get('/api/admin/system')
    .catch(() => ({ status: 0, body: {} }));
  return status === 200 ? (body as { lastBackup: string | null }).lastBackup : undefined;
}

async function expectRefusal(restoring: Promise<unknown>, reason: string): Promise<void> {
  const said = await restoring.then(
    () => 'restored',
    (error: Error) => error.message,
  );
  if (!said.includes(reason)) throw new Error(said);
}
