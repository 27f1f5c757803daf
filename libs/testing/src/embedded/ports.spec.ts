import { once } from 'node:events';
import net from 'node:net';
import { anyFreePort, isPortFree, onFreePort, PortPicker } from './ports.js';

describe('choosing ports', () => {
  const listeners: net.Server[] = [];
  const occupy = async (port: number, host?: string) => {
    const server = net.createServer();
    listeners.push(server);
    await new Promise<void>((listening) => server.listen(port, host, listening));
  };
  afterEach(async () => {
    await Promise.all(listeners.splice(0).map((server) => new Promise((closed) => server.close(closed))));
  });

  it('detects a port in use on loopback or on all addresses', async () => {
    for (const host of ['127.0.0.1', undefined]) {
      const port = await anyFreePort();
      expect(await isPortFree(port)).toBe(true);
      await occupy(port, host);
      expect(await isPortFree(port)).toBe(false);
    }
  });

  it('returns unique ports below the range of outgoing connections', async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, () => anyFreePort()));
    expect(new Set(ports).size).toBe(20);
    expect(Math.max(...ports)).toBeLessThan(32_768);
    expect(Math.min(...ports)).toBeGreaterThan(1_023);
  });

  it('picks a higher port when the requested one is taken', async () => {
    const wanted = await anyFreePort();
    await occupy(wanted, '127.0.0.1');
    expect(await new PortPicker().pick(wanted)).toBeGreaterThan(wanted);
  });

  it('never picks a port twice, even if all ports near the requested one are taken', async () => {
    const picker = new PortPicker();
    const picked = await Promise.all(Array.from({ length: 41 }, () => picker.pick(14_000)));
    expect(new Set(picked).size).toBe(41);
  });

  describe('when another program takes the port before the start', () => {
    const listen = async (port: number) => {
      const server = net.createServer();
      listeners.push(server);
      await once(server.listen(port, '127.0.0.1'), 'listening');
      return port;
    };

    it('starts the server on another port', async () => {
      const wanted = await anyFreePort();
      await occupy(wanted, '127.0.0.1');
      expect(await onFreePort(wanted, async (port) => port, listen)).toBeGreaterThan(wanted);
    });

    it('throws the server’s error after twelve attempts', async () => {
      const wanted = await anyFreePort();
      await occupy(wanted, '127.0.0.1');
      let tried = 0;
      const start = () => listen(wanted).finally(() => (tried += 1));
      await expect(onFreePort(wanted, async (port) => port, start)).rejects.toThrow('EADDRINUSE');
      expect(tried).toBe(12);
    });

    it('does not retry when the start fails for another reason', async () => {
      let tried = 0;
      const start = async () => {
        tried += 1;
        throw new Error('The disk is full');
      };
      await expect(onFreePort(15_000, async (port) => port, start)).rejects.toThrow('The disk is full');
      expect(tried).toBe(1);
    });
  });
});
