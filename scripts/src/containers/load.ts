import { setTimeout as pause } from 'node:timers/promises';
import type { ApiClient } from '@meetmark/testing/http-client';

/** One visitor who goes on until stopped, and what became of every request. */
export interface Traffic {
  answered: number;
  /** What a visitor would have noticed: refusals of the server, connections cut. */
  dropped: string[];
  /** Attempts that reached no gateway and went to the other gateway, as a proxy in front would do. */
  turnedAway: number;
}

export interface Load {
  /** Resolves when the last answer is in. */
  stop(): Promise<Traffic>;
}

/** Steady traffic, not overload: what is refused has to be the restart's fault. */
const VISITORS = 4;
const PAUSE_MS = 25;
const SERVER_ERROR = 500;
const P95 = 0.95;
/** Nothing was sent yet. */
const NOT_CONNECTED = ['ECONNREFUSED', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT', 'ENETUNREACH'];
/** A connection that was idle, or not accepted yet, at the moment in which the server closed. */
const CLOSED_BEFORE_AN_ANSWER = ['ECONNRESET', 'UND_ERR_SOCKET'];

/** Each visitor reads, registers, signs off and asks for their own, over and over. `urls` is asked before each request. */
export function startLoad(
  members: ApiClient[],
  administrator: ApiClient,
  eventId: string,
  urls: () => string[],
): Load {
  const traffic = noTraffic();
  let isRunning = true;
  const send = async (visitor: ApiClient, turn: number, method: string, path: string) => {
    await pause(PAUSE_MS);
    await sendTo(urls(), turn, visitor, { method, path }, traffic);
  };
  const rounds = members.slice(0, VISITORS).map(async (member, index) => {
    for (let turn = index; isRunning; turn++) {
      await send(member, turn, 'GET', '/api/events');
      await send(member, turn, 'POST', `/api/events/${eventId}/register`);
      await send(member, turn, 'GET', '/api/user');
      await send(member, turn, 'GET', '/api/my-events');
      await send(member, turn, 'DELETE', `/api/events/${eventId}/register`);
      await send(administrator, turn, 'GET', '/api/admin/summary');
    }
  });
  return {
    async stop() {
      isRunning = false;
      await Promise.all(rounds);
      return traffic;
    },
  };
}

/** Reads these paths in turn at a steady pace, whether or not answers come; after a moment in which this process had no turn, what is due. */
export function startReading(
  member: ApiClient,
  { paths, everyMs }: { paths: string[]; everyMs: number },
  urls: () => string[],
): { stop(): Promise<Traffic & { p95: number }> } {
  const traffic = noTraffic();
  const took: number[] = [];
  const pending: Promise<void>[] = [];
  const start = performance.now();
  const read = async (turn: number) => {
    const began = performance.now();
    await sendTo(urls(), turn, member, { method: 'GET', path: paths[turn % paths.length]! }, traffic);
    took.push(performance.now() - began);
  };
  const clock = setInterval(() => {
    while (pending.length * everyMs < performance.now() - start) pending.push(read(pending.length));
  }, everyMs);
  return {
    async stop() {
      clearInterval(clock);
      await Promise.all(pending);
      took.sort((a, b) => a - b);
      return { ...traffic, p95: Math.round(took[Math.floor(took.length * P95)] ?? Infinity) };
    },
  };
}

const noTraffic = (): Traffic => ({ answered: 0, dropped: [], turnedAway: 0 });

/** One request, and what became of it: tried at each of the gateways until one takes it. */
async function sendTo(
  targets: string[],
  turn: number,
  visitor: ApiClient,
  { method, path }: { method: string; path: string },
  traffic: Traffic,
): Promise<void> {
  for (let attempt = 0; attempt < targets.length; attempt++) {
    const target = targets[(turn + attempt) % targets.length] ?? '';
    try {
      const { status, body } = await visitor.at(target).send(method, path);
      if (status >= SERVER_ERROR)
        traffic.dropped.push(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
      else traffic.answered += 1;
      return;
    } catch (error) {
      const code = (error as { cause?: { code?: string } }).cause?.code ?? String(error);
      if (NOT_CONNECTED.includes(code) || (mayRepeat(method) && CLOSED_BEFORE_AN_ANSWER.includes(code)))
        traffic.turnedAway += 1;
      else return void traffic.dropped.push(`${method} ${path}: ${code}`);
    }
  }
  traffic.dropped.push(`${method} ${path}: no gateway accepts connections`);
}

/** As proxies judge by default (nginx: proxy_next_upstream). What was cut while it worked shows in the POSTs, which they never repeat. */
const mayRepeat = (method: string) => method !== 'POST';
