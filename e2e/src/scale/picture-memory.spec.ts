import { inTurns } from '@meetmark/testing';
import { hostilePictures } from '@meetmark/scripts/containers/hostile-pictures';
import { startTestStack, type TestStack } from '@meetmark/scripts/stack/test-stack';
import { existsSync, readFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiClient, createdEvent, newcomer, signedUp, type Answer } from '../support/api-client.js';

const PICTURES = 52;
const AT_ONCE = 12;
/** Hostile JSON bodies, sent at the same time as the images. `LARGE` bodies are as large as images. */
const LARGE = { count: 18, atOnce: 6, bytes: 6_900_000 };
const SMALL = { count: 80, atOnce: 40, bytes: 63_000 };
const LOOK_EVERY = 20;
const MEGABYTE = 1024 * 1024;
const MEASURES = existsSync('/proc/self/status');
/**
 * Reads a file of the repository, for the constants below: the gateway's memory limits in Kubernetes and
 * Docker Compose, and Node's heap limit.
 */
const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const CLUSTER = Number(/limits: \{ memory: (\d+)Mi/.exec(read('k8s/base/gateway.yaml'))?.[1]);
const COMPOSE = Number(
  /\n {2}gateway:\n(?: {4}.*\n)*? {4}mem_limit: (\d+)m/.exec(read('docker-compose.yml'))?.[1],
);
const HEAP = /--max-old-space-size=\d+/.exec(read('k8s/base/configuration.yaml'))?.[0] ?? '';

const LOWERED = Math.min(constants.priority.PRIORITY_LOW, getPriority() + 10);

/** Node options that lower the process's priority at startup. */
const AT_LOW_PRIORITY = [
  '--import',
  `data:text/javascript,import { setPriority } from 'node:os'; setPriority(${LOWERED});`,
];

describe('A gateway under attack with hostile images and JSON', () => {
  let stack: TestStack;
  const ended: string[] = [];
  beforeAll(async () => {
    stack = await startTestStack({
      seeded: true,
      environment: { TRUSTED_PROXIES: '1' },
      nodeArguments: (name) => [...AT_LOW_PRIORITY, ...(name === 'gateway' ? [HEAP] : [])],
    });
    stack.stack.onUnexpectedExit((name) => ended.push(name));
  });
  afterAll(() => stack.stop());

  it('stays alive within its container memory and accepts valid images', async () => {
    const pid = stack.stack.replicas.find(({ name }) => name === 'gateway')!.process.pid;
    const administrator = new ApiClient(stack.url);
    await administrator.signIn(stack.administrator);
    const event = await createdEvent(administrator);
    const { title, startDate, endDate } = event;
    const changes = { title, startDate, endDate };
    const members = await inTurns(Array.from({ length: 6 }), 2, () => signedUp(stack.url, newcomer(), false));
    const pictures = await hostilePictures();
    const [largeBodies, smallBodies] = [LARGE, SMALL].map(({ bytes }) => hostileBodies(bytes));
    const [inside, outside] = [true, false].map((kind) => pictures.filter(({ inside }) => inside === kind));

    let most = 0;
    let together = 0;
    const priorities = new Set(stack.stack.replicas.map(({ process }) => getPriority(process.pid)));
    const decoderPriorities = new Set<number>();
    const looking = setInterval(() => {
      const decoder = readChildren(pid);
      if (decoder.length > 0) together += 1;
      for (const each of decoder) decoderPriorities.add(readPriority(each));
      most = Math.max(
        most,
        [pid, ...decoder].reduce((sum, each) => sum + resident(each), 0),
      );
    }, LOOK_EVERY);
    const outcomes: string[] = [];
    const refused = async (name: string, answer: Promise<Answer>) => {
      const { status, text } = await answer;
      if (status < 400 || status >= 500) outcomes.push(`${name}: ${status} ${text}`);
    };
    const large = inTurns(
      Array.from({ length: LARGE.count }, (_, n) => n),
      LARGE.atOnce,
      (n) => {
        const [name, body] = picked(largeBodies!, n);
        const { client } = picked(members, n);
        return refused(
          name,
          answeredByMore(() => client.put('/api/user/profile', body, from(n))),
        );
      },
    );
    const small = inTurns(
      Array.from({ length: SMALL.count }, (_, n) => n),
      SMALL.atOnce,
      (n) => {
        const [name, body] = picked(smallBodies!, n);
        const visitor = new ApiClient(stack.url);
        return refused(
          name,
          answeredByMore(() => visitor.post('/api/login', body, from(n))),
        );
      },
    );
    await inTurns(
      Array.from({ length: PICTURES }, (_, n) => n),
      AT_ONCE,
      async (n) => {
        // Sends more images beyond the limits than valid ones, because refusing an image is quick.
        const { name, url, inside: taken } = picked(n % 4 === 0 ? inside! : outside!, Math.floor(n / 4) + n);
        const { client, person } = picked(members, n);
        const send = () =>
          n % 3 === 0
            ? client.put(
                '/api/user/profile',
                { ...person, password: undefined, profileImageUrl: url },
                from(n),
              )
            : administrator.put(`/api/events/${event.id}`, { ...changes, bannerImageUrl: url }, from(n));
        const { status, text } = await answeredByMore(send);
        const right = taken ? status === 200 : [413, 415, 422].includes(status);
        if (!right) outcomes.push(`${name}: ${status} ${text}`);
      },
    );
    await Promise.all([large, small]);
    clearInterval(looking);

    expect(ended).toEqual([]);
    expect(outcomes).toEqual([]);
    expect([...priorities]).toEqual([LOWERED]);
    expect(Math.min(...decoderPriorities)).toBeGreaterThanOrEqual(LOWERED);
    if (!MEASURES) return;
    expect(together).toBeGreaterThan(0);
    expect(most / MEGABYTE).toBeLessThan(Math.min(CLUSTER, COMPOSE));
  }, 600_000);
});

const picked = <T>(list: T[], n: number) => list[n % list.length]!;

const from = (n: number) => ({ 'x-forwarded-for': `198.51.${n % 50}.1` });

/** Returns JSON that needs much more memory or time than its size suggests. */
function hostileBodies(bytes: number): [name: string, body: string][] {
  const filled = (before: string, unit: string, after: string) =>
    before + unit.repeat(Math.floor((bytes - before.length - after.length) / unit.length)) + after;
  const nested = Math.floor(bytes / 2);
  return [
    ['nested lists', '['.repeat(nested) + ']'.repeat(nested)],
    ['nested objects', filled('', '{"a":', '')],
    ['many values', filled('[0', ',0', ']')],
    ['many strings', filled('["a"', ',"a"', ']')],
    ['many objects', filled('[{}', ',{}', ']')],
    ['a long text that is no picture', filled('{"profileImageUrl":"', 'a', '"}')],
    ['a long text of escapes', filled('{"profileImageUrl":"data:', '\\u0061', '"}')],
    ['a picture that is none', filled('{"profileImageUrl":"data:image/png;base64,', 'AAAA', '"}')],
  ];
}

const CLOSED = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

const AGAIN = new Set(['SERVICE_OVERLOADED', 'SERVICE_UNAVAILABLE', 'DEADLINE_EXCEEDED', 'RATE_LIMITED']);

/** Maximum attempts, two per second. */
const TRIES = 120;

/** Repeats a request while the server is too busy or closes the connection. */
async function answeredByMore(send: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await send().catch((error: Error & { cause?: { code?: string } }) => {
      if (CLOSED.has(error.cause?.code ?? '')) return null;
      throw error;
    });
    const again = tries < TRIES && AGAIN.has((answer?.body as { code?: string } | null)?.code ?? '');
    if (answer !== null && !again) return answer;
    await pause(500);
  }
}

function readPriority(pid: number): number {
  try {
    return getPriority(pid);
  } catch {
    return constants.priority.PRIORITY_LOW;
  }
}

function resident(pid: number): number {
  return 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(processFile(pid, 'status'))?.[1] ?? 0);
}

const readChildren = (pid: number) =>
  processFile(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number);

function processFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
