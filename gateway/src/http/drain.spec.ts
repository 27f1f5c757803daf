import { Agent, request as httpRequest } from 'node:http';
import { GetEvent } from '@meetmark/contracts';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { anEvent } from '@meetmark/testing/factories/samples';
import { gatewayForTests } from '../testing/open-test-gateway.js';

let arrived: () => void;
let release: () => void;
const get = played(GetEvent, async () => {
  const gate = new Promise<void>((resolve) => (release = resolve));
  arrived();
  await gate;
  return anEvent();
});
const stack = gatewayForTests({ events: scenes(get) });

it('a stopping gateway finishes open requests and closes its connections', async () => {
  const gateway = await stack.another({ farewell: 2_000 });
  const agent = new Agent({ keepAlive: true });
  const read = (path: string) =>
    new Promise<{ status: number; connection: string | undefined }>((resolve, reject) => {
      const request = httpRequest(gateway.url + path, { agent }, (response) => {
        response
          .resume()
          .on('end', () =>
            resolve({ status: response.statusCode!, connection: response.headers.connection }),
          );
      });
      request.on('error', reject).end();
    });

  expect(await read('/api/config')).toEqual({ status: 200, connection: 'keep-alive' });
  const busy = new Promise<void>((resolve) => (arrived = resolve));
  const slow = read(`/api/events/${anEvent().id}`);
  await busy;
  const stopped = gateway.stop();
  expect(await read('/api/config')).toEqual({ status: 200, connection: 'close' });
  release();
  expect(await slow).toEqual({ status: 200, connection: 'close' });
  await stopped;
  await expect(read('/api/config')).rejects.toThrow(/ECONNREFUSED/);
  agent.destroy();
});
