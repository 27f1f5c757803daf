import { jest } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { openTestGateway } from '../testing/open-test-gateway.js';
import { NoRoom, SHARED_BUDGETS, SharedTurns, Shares } from './shared-budgets.js';

const SOURCES = new URL('../', import.meta.url).pathname;
const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .map((file) => ({ file, text: readFileSync(SOURCES + file, 'utf8') }));

describe('what all clients of a gateway share', () => {
  it('has a tenth for one network, and one picture of the largest', () => {
    const tenths = Object.entries(SHARED_BUDGETS).map(([name, { all, one }]) => [
      name,
      one <= Math.ceil(all / 10),
    ]);
    expect(Object.fromEntries(tenths)).toEqual({
      smallBodies: true,
      largeBodies: false,
      connections: true,
      passwords: true,
      turns: true,
      pictures: true,
      maps: true,
    });
  });

  it('is held by these shares and by nothing else', () => {
    const held = (name: string) =>
      sources.filter(({ text }) => new RegExp(`new (Shares|SharedTurns)\\('${name}'\\)`).test(text));
    for (const name of Object.keys(SHARED_BUDGETS)) expect([name, held(name).length]).toEqual([name, 1]);
    // a bulkhead of its own would be one that a network can fill
    const bulkheads = sources.filter(({ text }) => text.includes('new Bulkhead('));
    expect(bulkheads.map(({ file }) => file).toSorted()).toEqual([
      'http/shared-budgets.ts',
      'media/decoder.ts',
    ]);
    expect(sources.filter(({ text }) => text.includes('maxConnections')).length).toBe(1);
  });

  it('is in the table of docs/security.md as it is here', () => {
    const table = readFileSync(new URL('../../../docs/security.md', import.meta.url), 'utf8');
    const rows = [...table.matchAll(/^\| `(\w+)` +\| ([\d.,]+)(?: MB)? +\| ([\d.,]+)(?: MB)? +\|/gm)].map(
      ([, name, all, one]) => [
        name,
        { all: Number(all!.replaceAll(',', '')), one: Number(one!.replaceAll(',', '')) },
      ],
    );
    const figures = Object.entries(SHARED_BUDGETS).map(([name, { all, one }]) => {
      const unit = name.endsWith('Bodies') ? 1024 * 1024 : 1;
      return [name, { all: all / unit, one: Math.round((one / unit) * 10) / 10 }];
    });
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(figures));
  });
});

describe('a share', () => {
  it('ends at its own figure, at that of all, and begins anew with what is given back', () => {
    const shares = new Shares('passwords');
    const { all, one } = SHARED_BUDGETS.passwords;
    expect([shares.take('a', one), shares.take('a', 1), shares.take('b', 1)]).toEqual([true, false, true]);
    shares.giveBack('b', 1);
    for (let n = 1; n < all / one; n += 1) expect(shares.take(`other ${n}`, one)).toBe(true);
    expect([shares.isFull, shares.take('late', 1)]).toEqual([true, false]);
    shares.giveBack('a', one);
    expect([shares.isFull, shares.take('late', 1)]).toEqual([false, true]);
  });

  describe('has turns, of which', () => {
    beforeEach(() => jest.useFakeTimers());
    afterEach(() => jest.useRealTimers());

    /** Milliseconds. */
    const TASK = 100;

    async function sixty(task: number) {
      const turns = new SharedTurns('passwords');
      let running = 0;
      let most = 0;
      const work = async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, task));
        running -= 1;
        return 'done';
      };
      const crowd = Array.from({ length: 60 }, () =>
        turns.run('198.51.100.7', work).catch((error: unknown) => (error as Error).constructor.name),
      );
      await jest.advanceTimersByTimeAsync(60 * task);
      const answers = await Promise.all(crowd);
      return { most, done: answers.filter((answer) => answer === 'done').length, answers };
    }

    it('sixty at the same moment wait for each other', async () => {
      expect(await sixty(TASK)).toMatchObject({ most: SHARED_BUDGETS.passwords.one, done: 60 });
    });

    it('none waits for more than two and a half seconds', async () => {
      const { most, done, answers } = await sixty(5 * TASK);
      // four begin every half second, the last of them after two seconds
      expect([most, done]).toEqual([4, 20]);
      expect(new Set(answers)).toEqual(new Set(['done', NoRoom.name]));
    });
  });

  it('is of the whole /48 in IPv6', async () => {
    const turns = new SharedTurns('passwords');
    let running = 0;
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const tasks = Array.from({ length: 10 }, (_, n) =>
      turns.run(`2001:db8:1:${n}::1`, async () => {
        running += 1;
        await ended;
      }),
    );
    await turns.run('2001:db8:2::1', () => Promise.resolve());
    expect(running).toBe(SHARED_BUDGETS.passwords.one);
    end();
    await Promise.all(tasks);
    expect(running).toBe(10);
    expect(new NoRoom()).toMatchObject({ code: 'SERVICE_OVERLOADED', details: { outcome: 'not-started' } });
  });
});

it('connections of one network leave room for all others', async () => {
  const stack = await openTestGateway();
  const { one } = SHARED_BUDGETS.connections;
  const open: Socket[] = [];
  const port = Number(new URL(stack.url).port);
  const connected = async (localAddress: string) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    open.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };
  try {
    await Promise.all(Array.from({ length: one }, () => connected('127.0.0.2')));
    const beyond = await connected('127.0.0.2');
    if (!beyond.destroyed) await once(beyond, 'close');
    expect((await stack.browser().get('/api/config')).status).toBe(200);
  } finally {
    for (const socket of open) socket.destroy();
    await stack.close();
  }
});
