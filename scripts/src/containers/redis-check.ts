import type { Compose } from './compose.js';
import { PROCESSES } from '../stack/processes.js';
import { expectEqual, type Checks } from './checks.js';

/** What brings everybody's data, settings or names to light, or to an end. */
const DANGEROUS = ['FLUSHALL', 'CONFIG GET *', 'KEYS *', 'ACL LIST', 'CLIENT LIST', 'SHUTDOWN NOSAVE'];

/** The users of config/redis/users.acl in the Redis that runs; what each may do, `redis-users.spec.ts` shows. */
export async function checkRedis(checks: Checks, compose: Compose): Promise<void> {
  await checks.check('Redis serves nobody without a password', async () => {
    expectEqual(await said(compose, 'redis-cli PING'), 'NOAUTH Authentication required.', 'PING');
  });
  await checks.check('Redis keeps what it is told, and refuses rather than forgets', async () => {
    const settings = await as(compose, 'operator', 'CONFIG GET appendonly appendfsync maxmemory-policy');
    const values = Object.fromEntries(pairs(settings.split('\n')));
    const wanted = { appendonly: 'yes', appendfsync: 'everysec', 'maxmemory-policy': 'noeviction' };
    for (const [name, value] of Object.entries(wanted)) expectEqual(values[name], value, name);
  });
  await checks.check('no process may do in Redis what only its operator may', async () => {
    await expectNothingRefused(compose);
    for (const user of PROCESSES) {
      expectEqual(await as(compose, user, 'PING'), 'PONG', `PING as ${user}`);
      for (const command of DANGEROUS) {
        const answer = await as(compose, user, command);
        if (!answer.startsWith('NOPERM')) throw new Error(`${command} as ${user} answers ${answer}`);
      }
    }
    // what was refused here is nothing that a process asked for
    await as(compose, 'operator', 'ACL LOG RESET');
  });
}

/** At the end: what is missing in somebody's rights may otherwise show in a log line alone. */
export async function checkNothingRefused(checks: Checks, compose: Compose): Promise<void> {
  await checks.check('Redis refused no process anything', () => expectNothingRefused(compose));
  await checks.check('Redis leaves out nothing that its file holds when it starts again', async () => {
    await compose.run('restart', 'redis');
    await compose.run('up', '-d', '--wait', '--no-recreate', '--no-deps', 'redis');
    await expectNothingRefused(compose);
  });
}

const expectNothingRefused = async (compose: Compose) =>
  expectEqual(await as(compose, 'operator', 'ACL LOG'), '', 'refused');

/** Passwords come from the container's environment: none is on a command line. */
const as = (compose: Compose, user: string, command: string) => {
  const quoted = command.replaceAll('*', "'*'");
  return said(
    compose,
    `REDISCLI_AUTH="$${user.toUpperCase()}_REDIS_PASSWORD" redis-cli --user ${user} ${quoted}`,
  );
};
const said = async (compose: Compose, script: string) =>
  (await compose.run('exec', '-T', 'redis', 'sh', '-c', `${script} 2>&1; true`)).trim();

function pairs(lines: string[]): [string, string][] {
  return lines.flatMap((line, index) => (index % 2 === 0 ? [[line, lines[index + 1] ?? '']] : []));
}
