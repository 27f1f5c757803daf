import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ListPublicEvents } from '@meetmark/contracts';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { until } from '@meetmark/testing';
import { anEvent } from '@meetmark/testing/factories/samples';
import { gatewayForTests } from '../testing/open-test-gateway.js';
import { SHARED_BUDGETS } from './shared-budgets.js';

const MEGABYTE = 1024 * 1024;
/** Bytes of a response. More than the operating system buffers for a client that doesn't read. */
const SIZE = 10 * MEGABYTE;
const PATIENCE = 20_000;
const STALLED = 3_000;
const PATIENT = 10_000;
/** Milliseconds between reads of 64 kB, so that reading the whole response takes longer than `PATIENT`. */
const SLOWLY = 75;

let asked = 0;
const list = played(ListPublicEvents, () => {
  asked += 1;
  return { items: [anEvent({ description: 'x'.repeat(SIZE) })], total: 1, nextCursor: null };
});
const stack = gatewayForTests({ events: scenes(list) });
const server = () => stack.gateway.app.getHttpServer() as Server;
const connections = () => promisify(server().getConnections.bind(server()))();

let stalled = 0;
beforeAll(() => {
  stalled = server().timeout;
});

const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await until('no connection', PATIENCE, async () => (await connections()) === 0);
  Object.assign(SHARED_BUDGETS.unsentBodies, { all: 64 * MEGABYTE, one: 6.4 * MEGABYTE });
  server().setTimeout(stalled);
});

let lists = 0;
async function ask(localAddress: string): Promise<Socket> {
  const socket = connect({ port: Number(new URL(stack.url).port), host: '127.0.0.1', localAddress });
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  lists += 1;
  socket.write(`GET /api/events/public?q=${lists} HTTP/1.1\r\nHost: localhost:8080\r\n\r\n`);
  return socket;
}

async function read(socket: Socket, every = 0): Promise<{ status: number; isWhole: boolean }> {
  let head = '';
  let bytes = 0;
  let size = Infinity;
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (size === Infinity) {
        head += chunk.toString('latin1');
        const end = head.indexOf('\r\n\r\n');
        if (end !== -1) size = end + 4 + Number(/content-length: (\d+)/i.exec(head)![1]);
      }
      if (bytes >= size) break;
      if (every > 0) await pause(every);
    }
  } catch {
    // The server closed the connection.
  }
  return { status: Number(head.split(' ')[1]), isWhole: bytes === size };
}

/** Requests a list and stops reading after the first bytes of the response. */
async function stall(localAddress: string): Promise<Socket> {
  const socket = await ask(localAddress);
  await once(socket, 'readable');
  return socket;
}

const statusFor = async (localAddress: string) => (await read(await ask(localAddress))).status;

describe('a client that does not read its response', () => {
  it('counts an unread response only towards the budget of its network', async () => {
    Object.assign(SHARED_BUDGETS.unsentBodies, { all: 4 * SIZE, one: 1.5 * SIZE });
    const stalled = await stall('127.0.0.2');
    await until('a refusal', PATIENCE, async () => (await statusFor('127.0.0.2')) === 503);
    await until('room for others', PATIENCE, async () => (await statusFor('127.0.0.3')) === 200);
    expect(await statusFor('127.0.0.2')).toBe(503);
    stalled.destroy();
    await until('room', PATIENCE, async () => (await statusFor('127.0.0.2')) === 200);
  });

  it('refuses a network without budget left before its requests reach a service', async () => {
    Object.assign(SHARED_BUDGETS.unsentBodies, { all: 3 * SIZE, one: SIZE + 2_000 });
    // The limit must fit the first response, so it is lowered after that response has started.
    await stall('127.0.0.2');
    await until('a refusal', PATIENCE, async () => (await statusFor('127.0.0.2')) === 503);
    SHARED_BUDGETS.unsentBodies.one = SIZE;
    const before = asked;
    expect(await statusFor('127.0.0.2')).toBe(503);
    expect(asked).toBe(before);
  });

  it('refuses other networks once the total budget for unread responses is used up', async () => {
    Object.assign(SHARED_BUDGETS.unsentBodies, { all: 1.5 * SIZE, one: 1.5 * SIZE });
    await stall('127.0.0.2');
    await until('a refusal', PATIENCE, async () => (await statusFor('127.0.0.3')) === 503);
  });

  it('disconnects a stalled client after a timeout, 30 seconds by default', async () => {
    Object.assign(SHARED_BUDGETS.unsentBodies, { all: 3 * SIZE, one: 3 * SIZE });
    expect(stalled).toBe(30_000);
    server().setTimeout(STALLED);
    await ask('127.0.0.2');
    expect(await connections()).toBe(1);
    await until('the end of the connection', PATIENCE, async () => (await connections()) === 0);
  });
});

it('a client that reads slowly gets its whole response', async () => {
  Object.assign(SHARED_BUDGETS.unsentBodies, { all: 3 * SIZE, one: 3 * SIZE });
  server().setTimeout(PATIENT);
  expect(await read(await ask('127.0.0.2'), SLOWLY)).toEqual({ status: 200, isWhole: true });
});
