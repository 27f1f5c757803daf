import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type DomainError, ERRORS } from '@meetmark/contracts';
import { until } from '@meetmark/testing';
import { bareServer } from '../testing/bare-server.js';
import { ResponseBudget } from './response-budget.js';
import { SHARED_BUDGETS } from './shared-budgets.js';

/** Bytes of a response. More than the operating system buffers for a client that doesn't read. */
const SIZE = 10 * 1024 * 1024;
const BODY = 'x'.repeat(SIZE);
const PATIENCE = 20_000;
const STALLED = 500;
const PATIENT = 3_000;
/** Milliseconds between reads of 64 kB, so that reading the whole response takes longer than `PATIENT`. */
const SLOWLY = 20;
const usual = { ...SHARED_BUDGETS.unsentBodies };

let asked = 0;
const gateway = bareServer().getInstance();
const { server } = gateway;
const stalled = server.timeout;
const connections = () => promisify(server.getConnections.bind(server))();
beforeAll(async () => {
  gateway.decorateReply('refusal', null);
  new ResponseBudget().watch(gateway);
  gateway.setErrorHandler((error: DomainError, _, reply) => {
    reply.refusal = error;
    return reply.code(ERRORS[error.code].status).send();
  });
  gateway.get('/', () => {
    asked += 1;
    return BODY;
  });
  await gateway.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => gateway.close());

const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await until('no connection', PATIENCE, async () => (await connections()) === 0);
  Object.assign(SHARED_BUDGETS.unsentBodies, usual);
  server.setTimeout(stalled);
});

async function ask(localAddress: string): Promise<Socket> {
  const { port } = gateway.addresses()[0] as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
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

/** Sends a request and stops reading after the first bytes of the response. */
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
    expect(await statusFor('127.0.0.2')).toBe(503);
    expect(await statusFor('127.0.0.3')).toBe(200);
    stalled.destroy();
    await until('room', PATIENCE, async () => (await statusFor('127.0.0.2')) === 200);
  });

  it('refuses a network without budget left before its requests are processed', async () => {
    Object.assign(SHARED_BUDGETS.unsentBodies, { all: 3 * SIZE, one: SIZE });
    await stall('127.0.0.2');
    const before = asked;
    expect(await statusFor('127.0.0.2')).toBe(503);
    expect(asked).toBe(before);
  });

  it('refuses other networks once the total budget for unread responses is used up', async () => {
    Object.assign(SHARED_BUDGETS.unsentBodies, { all: 1.5 * SIZE, one: 1.5 * SIZE });
    await stall('127.0.0.2');
    expect(await statusFor('127.0.0.3')).toBe(503);
  });

  it('disconnects a stalled client after a timeout, 30 seconds by default', async () => {
    Object.assign(SHARED_BUDGETS.unsentBodies, { all: 3 * SIZE, one: 3 * SIZE });
    expect(stalled).toBe(30_000);
    server.setTimeout(STALLED);
    await ask('127.0.0.2');
    expect(await connections()).toBe(1);
    await until('the end of the connection', PATIENCE, async () => (await connections()) === 0);
  });
});

it('a client that reads slowly gets its whole response', async () => {
  Object.assign(SHARED_BUDGETS.unsentBodies, { all: 3 * SIZE, one: 3 * SIZE });
  server.setTimeout(PATIENT);
  expect(await read(await ask('127.0.0.2'), SLOWLY)).toEqual({ status: 200, isWhole: true });
});
