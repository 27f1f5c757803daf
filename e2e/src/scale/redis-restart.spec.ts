import { startTestStack, type TestStack } from '@meetmark/scripts/stack/test-stack';
import { ApiClient, createdEvent, signedUp } from '../support/api-client.js';

/** Milliseconds after Redis accepts connections within which everything works again. */
const RECOVERY = 5_000;
const PAUSE = 100;
const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE));

describe('When Redis is killed under load', () => {
  let stack: TestStack;
  beforeAll(async () => {
    stack = await startTestStack({ seeded: true, durable: true, replicas: { events: 2, auth: 2 } });
  }, 60_000);
  afterAll(() => stack.stop(), 30_000);

  it('everybody gets 503 while it is away, then service again, signed in as before, with no process restarted', async () => {
    const administrator = new ApiClient(stack.url);
    await administrator.signIn(stack.administrator);
    const { client } = await signedUp(stack.url);
    const event = await createdEvent(administrator);
    const pids = stack.stack.replicas.map(({ process }) => process.pid);
    const redis = stack.stack.servers.processes.redis;
    if (redis === undefined) throw new Error('the stack has no Redis of its own');

    const statuses = new Set<number>();
    let loading = true;
    const load = Promise.all(
      Array.from({ length: 8 }, async () => {
        while (loading) {
          const started = performance.now();
          const { status } = await client.post(`/api/events/${event.id}/register`);
          statuses.add(status);
          expect(performance.now() - started).toBeLessThan(6_000);
          await pause();
        }
      }),
    );
    await redis.kill('SIGKILL');
    const away = await client.get('/api/user');
    expect(away.status).toBe(503);
    expect(Number(away.headers.get('retry-after'))).toBeGreaterThan(0);
    await redis.restart();

    const back = Date.now();
    while (
      (await client.post(`/api/events/${event.id}/register`)).status !== 200 &&
      Date.now() - back < RECOVERY
    )
      await pause();
    const recovered = await client.get('/api/user');
    loading = false;
    await load;

    expect(recovered.status).toBe(200);
    expect([...statuses].filter((status) => ![200, 201, 503].includes(status))).toEqual([]);
    expect(stack.stack.replicas.map(({ process }) => process.pid)).toEqual(pids);
  }, 60_000);
});
