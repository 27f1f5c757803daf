import { setTimeout as pause } from 'node:timers/promises';
import { inTurns } from '@meetmark/testing';
import { expectEqual, type Checks } from './checks.js';
import { docker, type Compose } from './compose.js';
import { hostilePictures, type Hostile } from './hostile-pictures.js';
import { startReading } from './load.js';
import type { ApiClient } from '@meetmark/testing/http-client';

const PICTURES = 200;
const AT_ONCE = 8;
const TAKEN = 200;
const REFUSED = [413, 415, 422];
const BUSY = 503;
const RETRY_AFTER_MS = 500;
/** Longer than all pictures together take on a busy machine: then there is no room to come. */
const ROOM_WITHIN_MS = 180_000;
const READ_EVERY_MS = 50;
const READS = ['/api/events/public', '/api/user', '/api/events'];
const P95_LIMIT_MS = 1_000;
const BYTES_PER_MB = 1024 * 1024;
/** In both versions of control groups: what a container may take, and the most that it ever took. */
const MEMORY = [
  'cat /sys/fs/cgroup/memory.max 2>/dev/null || cat /sys/fs/cgroup/memory/memory.limit_in_bytes',
  'cat /sys/fs/cgroup/memory.peak 2>/dev/null || cat /sys/fs/cgroup/memory/memory.max_usage_in_bytes',
].join('; ');

/** No picture can end a gateway: its container's limit holds for it and its decoder together, and others are answered. */
export async function checkPictures(checks: Checks, compose: Compose, members: ApiClient[]): Promise<void> {
  await checks.check(`${PICTURES} hostile pictures end no process and hold nobody up`, async () => {
    const pictures = await hostilePictures();
    const before = await lives(compose);
    const [reader, ...senders] = members;
    const reading = startReading(reader!, { paths: READS, everyMs: READ_EVERY_MS }, () => [reader!.url]);
    const wrong: string[] = [];
    const taken = await inTurns(Array.from({ length: PICTURES }), AT_ONCE, async (_, n) => {
      const picture = pictures[n % pictures.length]!;
      const status = await upload(senders[n % senders.length]!, picture);
      if (!(picture.inside ? [TAKEN] : REFUSED).includes(status)) wrong.push(`${picture.name}: ${status}`);
      return picture.inside;
    });
    const { p95, answered, dropped } = await reading.stop();
    expectEqual(wrong, [], 'answered otherwise');
    expectEqual(await lives(compose), before, 'processes');
    expectEqual(dropped, [], 'reads that failed meanwhile');
    if (p95 >= P95_LIMIT_MS) throw new Error(`reads took ${p95} ms (p95) meanwhile`);
    const memory = await Promise.all((await compose.containersOf('gateway')).map(({ id }) => memoryOf(id)));
    const tight = memory.filter(({ limit, peak }) => !(peak < limit));
    expectEqual(tight, [], 'megabytes of gateways that came to their limit');
    const [inside, most] = [taken.filter(Boolean).length, Math.max(...memory.map(({ peak }) => peak))];
    return (
      `${inside} taken, ${PICTURES - inside} refused; at most ${most} of ${memory[0]!.limit} MB of a container; ` +
      `p95 of ${answered} reads meanwhile ${p95} ms`
    );
  });
}

/** Again for as long as there is no room. */
async function upload(member: ApiClient, { url: profileImageUrl }: Hostile): Promise<number> {
  const { body } = await member.send<Record<string, unknown>>('GET', '/api/user');
  const { email, firstName, lastName } = body;
  const end = Date.now() + ROOM_WITHIN_MS;
  for (;;) {
    const profile = { email, firstName, lastName, profileImageUrl };
    const { status } = await member.send('PUT', '/api/user/profile', profile);
    if (status !== BUSY || Date.now() > end) return status;
    await pause(RETRY_AFTER_MS);
  }
}

/** Of each container: the same as long as it has not ended, nor the kernel ended one of its processes for want of memory. */
async function lives(compose: Compose): Promise<string[]> {
  const running = (await compose.containers()).filter(({ state }) => state === 'running');
  const life = '{{.State.StartedAt}} {{.State.OOMKilled}} {{.RestartCount}}';
  return Promise.all(
    running.map(async ({ id, service }) => `${service} ${(await docker('inspect', '-f', life, id)).trim()}`),
  );
}

async function memoryOf(id: string): Promise<{ limit: number; peak: number }> {
  const [limit = 0, peak = 0] = (await docker('exec', id, 'sh', '-c', MEMORY))
    .trim()
    .split('\n')
    .map((bytes) => Math.ceil(Number(bytes) / BYTES_PER_MB));
  return { limit, peak };
}
