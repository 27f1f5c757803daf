import { anyFreePort, PortPicker } from '@meetmark/testing';
import { once } from 'node:events';
import net from 'node:net';
import { listenAddress, publicPort } from './public-port.js';

describe('the host of npm start', () => {
  it.each([
    ['127.0.0.1', /^127\.0\.0\.1$/],
    ['0.0.0.0', /^0\.0\.0\.0$/],
    ['localhost', /^(127\.0\.0\.1|::1)$/],
  ])('%s is one to listen at', async (host, address) => {
    expect(await listenAddress(host)).toMatch(address);
  });

  it('is refused by its name when there is none of that name', async () => {
    await expect(listenAddress('nowhere.invalid')).rejects.toThrow(
      "HOST: there is no host called 'nowhere.invalid'",
    );
  });

  it('is refused when it belongs to another machine', async () => {
    await expect(listenAddress('192.0.2.1')).rejects.toThrow(
      "HOST: '192.0.2.1' is not an address of this machine",
    );
  });
});

describe('the port of npm start', () => {
  const servers: net.Server[] = [];
  /** Takes the port; as an account that may not, it is as good as taken. */
  const take = async (port: number) => {
    const server = net.createServer().listen(port, '127.0.0.1');
    servers.push(server);
    await Promise.race([once(server, 'listening'), once(server, 'error').catch((error: unknown) => error)]);
  };
  const asked = (port: number) => publicPort({ port, portIsExplicit: true }, new PortPicker());
  afterEach(() => servers.splice(0).forEach((server) => server.close()));

  it('is the one that was asked for', async () => {
    const port = await anyFreePort();
    expect(await asked(port)).toBe(port);
  });

  it('is refused when it is taken, with another one to try', async () => {
    const port = await anyFreePort();
    await take(port);
    await expect(asked(port)).rejects.toThrow(`Port ${port} (PORT) is taken by another program.`);
    await expect(asked(port)).rejects.toThrow(`PORT=${port + 10} npm start`);
  });

  it('below 1024 may also be closed to the account', async () => {
    await take(1_001);
    await expect(asked(1_001)).rejects.toThrow(
      'Port 1001 (PORT) is taken, or not for this account to open. Stop that program, or choose another port: PORT=8080',
    );
  });

  it('is the next one when nobody asked', async () => {
    const port = await anyFreePort();
    await take(port);
    expect(await publicPort({ port, portIsExplicit: false }, new PortPicker())).toBeGreaterThan(port);
  });
});
