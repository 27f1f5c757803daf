import { inTurns } from '@meetmark/testing';
import { hostilePictures } from '@meetmark/scripts/containers/hostile-pictures';
import { startTestStack, type TestStack } from '@meetmark/scripts/stack/test-stack';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiClient, createdEvent, newcomer, signedUp } from '../support/api-client.js';

const PICTURES = 200;
const AT_ONCE = 12;
/** Milliseconds between two looks at the memory. */
const LOOK_EVERY = 20;
const MEGABYTE = 1024 * 1024;
const MEASURES = existsSync('/proc/self/status');
/** What a container of the gateway may hold, in both ways to run it, and the heap that Node may make of it. */
const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const CLUSTER = Number(/limits: \{ memory: (\d+)Mi/.exec(read('k8s/base/gateway.yaml'))?.[1]);
const COMPOSE = Number(
  /\n {2}gateway:\n(?: {4}.*\n)*? {4}mem_limit: (\d+)m/.exec(read('docker-compose.yml'))?.[1],
);
const HEAP = /--max-old-space-size=\d+/.exec(read('k8s/base/configuration.yaml'))?.[0] ?? '';

describe('A gateway that is sent pictures by an attacker', () => {
  let stack: TestStack;
  const ended: string[] = [];
  beforeAll(async () => {
    stack = await startTestStack({
      seeded: true,
      nodeArguments: (name) => (name === 'gateway' ? [HEAP] : []),
    });
    stack.stack.onUnexpectedExit((name) => ended.push(name));
  });
  afterAll(() => stack.stop());

  it('stays within the memory of its container, alive, and takes what is within the limits', async () => {
    const pid = stack.stack.replicas.find(({ name }) => name === 'gateway')!.process.pid;
    const administrator = new ApiClient(stack.url);
    await administrator.signIn(stack.administrator);
    const event = await createdEvent(administrator);
    const { title, startDate, endDate } = event;
    const changes = { title, startDate, endDate };
    const members = await inTurns(Array.from({ length: 6 }), 2, () => signedUp(stack.url, newcomer(), false));
    const pictures = await hostilePictures();
    const [inside, outside] = [true, false].map((kind) => pictures.filter(({ inside }) => inside === kind));

    let most = 0;
    let together = 0;
    const looking = setInterval(() => {
      const decoder = childrenOf(pid);
      if (decoder.length > 0) together += 1;
      most = Math.max(
        most,
        [pid, ...decoder].reduce((sum, each) => sum + resident(each), 0),
      );
    }, LOOK_EVERY);
    const outcomes: string[] = [];
    await inTurns(
      Array.from({ length: PICTURES }, (_, n) => n),
      AT_ONCE,
      async (n) => {
        // most are refused soon, and come all the faster
        const { name, url, inside: taken } = picked(n % 4 === 0 ? inside! : outside!, Math.floor(n / 4) + n);
        const { client, person } = picked(members, n);
        const send = () =>
          n % 3 === 0
            ? client.put('/api/user/profile', { ...person, password: undefined, profileImageUrl: url })
            : administrator.put(`/api/events/${event.id}`, { ...changes, bannerImageUrl: url });
        const status = await answeredByMore(send);
        const right = taken ? status === 200 : [413, 415, 422].includes(status);
        if (!right) outcomes.push(`${name}: ${status}`);
      },
    );
    clearInterval(looking);

    expect(outcomes).toEqual([]);
    expect(ended).toEqual([]);
    if (!MEASURES) return;
    expect(together).toBeGreaterThan(0);
    expect(most / MEGABYTE).toBeLessThan(Math.min(CLUSTER, COMPOSE));
  }, 600_000);
});

const picked = <T>(list: T[], n: number) => list[n % list.length]!;

/** Asks again when there was no room. */
async function answeredByMore(send: () => Promise<{ status: number }>): Promise<number> {
  for (;;) {
    // one that is refused while it is still sent finds its connection closed
    const status = await send().then(
      (answer) => answer.status,
      () => 503,
    );
    if (status !== 503) return status;
    await pause(500);
  }
}

/** Bytes, none once it has ended. */
function resident(pid: number): number {
  return 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(processFile(pid, 'status'))?.[1] ?? 0);
}

const childrenOf = (pid: number) =>
  processFile(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number);

function processFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return ''; // it has ended
  }
}
