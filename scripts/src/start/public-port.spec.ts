import { anyFreePort, PortPicker } from '@meetmark/testing';
import { once } from 'node:events';
import net from 'node:net';
import { listenAddress, publicPort } from './public-port.js';

describe('listenAddress', () => {
  it.each([
    ['127.0.0.1', /^127\.0\.0\.1$/],
    ['0.0.0.0', /^0\.0\.0\.0$/],
    ['localhost', /^(127\.0\.0\.1|::1)$/],
  ])('resolves the host %s to an IP address', async (host, address) => {
    expect(await listenAddress(host)).toMatch(address);
  });

  it.each([
    ['nowhere.invalid', "HOST: no host is called 'nowhere.invalid'"],
    ['192.0.2.1', "HOST: '192.0.2.1' is not an IP address of this machine"],
  ])('refuses the host %s', async (host, reason) => {
    await expect(listenAddress(host)).rejects.toThrow(reason);
  });
});

describe('publicPort', () => {
  const servers: net.Server[] = [];
  const take = async (port: number) => {
    const server = net.createServer().listen(port, '127.0.0.1');
    servers.push(server);
    await Promise.race([once(server, 'listening'), once(server, 'error').catch((error: unknown) => error)]);
    return port;
  };
  const pick = (port: number, portIsExplicit = true) =>
    publicPort({ port, portIsExplicit }, new PortPicker());
  afterEach(() => servers.splice(0).forEach((server) => server.close()));

  it('returns the chosen port', async () => {
    const port = await anyFreePort();
    expect(await pick(port)).toBe(port);
  });

  it('returns a higher port if the default one is taken', async () => {
    const port = await take(await anyFreePort());
    expect(await pick(port, false)).toBeGreaterThan(port);
  });

  it('refuses a chosen port that is taken and suggests another', async () => {
    const port = await take(await anyFreePort());
    await expect(pick(port)).rejects.toThrow(
      `Port ${port} (PORT) is in use by another program. Stop that program or choose another port: PORT=${port + 10} npm start`,
    );
    await expect(pick(await take(1_001))).rejects.toThrow(
      'Port 1001 (PORT) is in use, or this account may not open it. Stop that program or choose another port: PORT=8080',
    );
  });
});
