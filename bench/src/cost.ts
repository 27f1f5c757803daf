import type { TestStack } from '@meetmark/scripts/stack/test-stack';
import { insertEvent } from '@meetmark/testing/factories/events';
import type pg from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { Gateways, Member } from './faults/caller.js';
import { insertCopies, insertEvents } from './support/demo-rows.js';
import { measure, type Effort, type Row } from './support/results.js';
import { processorTime } from './support/usage.js';
import { withStack } from './support/stack.js';

const EVENTS = 200;
const IN_FLIGHT = 32;
const PASSWORD = 'correct horse';
const PERSON = { firstName: 'Bench', lastName: 'Member', email: 'bench@example.org', password: PASSWORD };
const TURNS = { whole: 12_000, quick: 4_000 };
/** Fewer turns than `TURNS`, because each sign-in hashes a password. */
const SIGN_INS = { whole: 800, quick: 300 };
const SIGN_INS_IN_FLIGHT = 2;
const OK = 300;
/** Milliseconds for which the meter measures the idle processes. */
const IDLE_FOR = 5_000;
const LOOK_EVERY = 1_000;
/**
 * Milliseconds of processor time. If all processes together use less per `LOOK_EVERY`, no more work is
 * pending.
 */
const NOTHING_LEFT = 50;

interface Kind {
  what: string;
  turns: number;
  inFlight: number;
  take(member: Member): Promise<unknown>;
  requests: number;
}

/** Measures the processor time of each process per request. The capacity model in docs/scaling.md uses it. */
export async function cost({ quick }: Effort): Promise<Row[]> {
  return withStack({ durable: true, environment: { LOG_LEVEL: 'info' } }, async (stack, owner) => {
    const gateways = new Gateways(stack.gatewayUrls);
    const members = await createMembers(gateways, owner);
    const createdById = members[0]?.id ?? '';
    await insertEvents(owner, EVENTS, createdById);
    const { id: event } = await insertEvent(owner, { createdById });
    const meter = await Meter.learn(stack);
    const rows: Row[] = [];
    for (const kind of buildKinds(event, quick)) {
      await takeTurns(kind, members);
      await meter.untilIdle();
      const before = meter.read();
      await takeTurns(kind, members);
      await meter.untilIdle();
      rows.push(buildRow(kind, meter.since(before)));
    }
    gateways.close();
    return rows;
  });
}

async function createMembers(gateways: Gateways, owner: pg.Pool): Promise<Member[]> {
  const first = new Member(gateways, '', PERSON.email);
  const { id } = await first.signUp(PERSON);
  const rows = await insertCopies(owner, id, IN_FLIGHT, false);
  const members = rows.map(({ id, email }) => new Member(gateways, id, email));
  await measure(members, SIGN_INS_IN_FLIGHT, (member) =>
    member.signIn({ email: member.email, password: PASSWORD }),
  );
  return members;
}

function buildKinds(event: string, quick: boolean): Kind[] {
  const turns = quick ? TURNS.quick : TURNS.whole;
  const signIns = quick ? SIGN_INS.quick : SIGN_INS.whole;
  const place = `/api/events/${event}/register`;
  const reading = (what: string, path: string): Kind => {
    return { what, turns, inFlight: IN_FLIGHT, requests: 1, take: (member) => ask(member, 'GET', path) };
  };
  return [
    reading('the public list of 200 events', '/api/events/public'),
    reading('who am I', '/api/user'),
    reading("a member's page of 20 events", '/api/events?limit=20'),
    {
      what: 'registering or giving up a place',
      turns: turns / 2,
      inFlight: IN_FLIGHT,
      requests: 2,
      async take(member) {
        await ask(member, 'POST', place);
        await ask(member, 'DELETE', place);
      },
    },
    {
      what: 'signing in',
      turns: signIns,
      inFlight: SIGN_INS_IN_FLIGHT,
      requests: 1,
      take: (member) => member.signIn({ email: member.email, password: PASSWORD }),
    },
  ];
}

async function ask(member: Member, method: string, path: string): Promise<void> {
  const { status } = await member.send(method, path);
  if (status >= OK) throw new Error(`${method} ${path} is answered ${status}`);
}

async function takeTurns({ turns, inFlight, take }: Kind, members: Member[]): Promise<void> {
  const free = [...members];
  await measure(Array.from({ length: turns }), inFlight, async () => {
    const member = free.shift()!;
    await take(member);
    free.push(member);
  });
}

type Spent = Map<string, number>;
interface Reading {
  at: number;
  spent: Spent;
}

class Meter {
  private idle: Spent = new Map();

  private constructor(private readonly stack: TestStack) {}

  static async learn(stack: TestStack): Promise<Meter> {
    const meter = new Meter(stack);
    const before = meter.read();
    await pause(IDLE_FOR);
    meter.idle = new Map([...meter.since(before)].map(([name, spent]) => [name, spent / IDLE_FOR]));
    return meter;
  }

  read(): Reading {
    const { replicas, servers } = this.stack.stack;
    const processes = [
      ...replicas.map(({ process }) => process),
      servers.processes.postgres,
      servers.processes.redis,
    ];
    const spent = processes.flatMap((each) => {
      const time = each === undefined ? null : processorTime(each.pid);
      return each === undefined || time === null ? [] : [[each.name, time] as const];
    });
    return { at: Date.now(), spent: new Map(spent) };
  }

  since(before: Reading): Spent {
    const { at, spent } = this.read();
    const spentBy = (name: string, time: number) =>
      time - (before.spent.get(name) ?? 0) - (at - before.at) * (this.idle.get(name) ?? 0);
    return new Map([...spent].map(([name, time]) => [name, spentBy(name, time)]));
  }

  async untilIdle(): Promise<void> {
    for (;;) {
      const before = this.read();
      await pause(LOOK_EVERY);
      const left = [...this.since(before).values()].reduce((sum, each) => sum + each, 0);
      if (left < NOTHING_LEFT) return;
    }
  }
}

function buildRow({ what, turns, requests }: Kind, spent: Spent): Row {
  const parts = [...spent].map(
    ([name, time]) => `${name} ${(Math.max(0, time) / (turns * requests)).toFixed(2)}`,
  );
  return {
    path: `processor time of ${what}, ms`,
    ours: parts.join(', ') || 'this system does not tell',
    beside: '–',
    ratio: '–',
    goal: '–',
    met: null,
  };
}
