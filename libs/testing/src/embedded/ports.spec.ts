import { once } from 'node:events';
import net from 'node:net';
import { anyFreePort, isPortFree, onFreePort, PortPicker } from './ports.js';

describe('ports', () => {
  const listeners: net.Server[] = [];
  const occupy = async (port: number, host?: string) => {
    const server = net.createServer();
    listeners.push(server);
    await new Promise<void>((listening) => server.listen(port, host, listening));
  };
  afterEach(async () => {
    await Promise.all(listeners.splice(0).map((server) => new Promise((closed) => server.close(closed))));
  });

  it('are taken whether a program listens on loopback or on every address', async () => {
    for (const host of ['127.0.0.1', undefined]) {
      const port = await anyFreePort();
      expect(await isPortFree(port)).toBe(true);
      await occupy(port, host);
      expect(await isPortFree(port)).toBe(false);
    }
  });

  it('are chosen once each, and where no outgoing connection can take them meanwhile', async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, () => anyFreePort()));
    expect(new Set(ports).size).toBe(20);
    expect(Math.max(...ports)).toBeLessThan(32_768);
    expect(Math.min(...ports)).toBeGreaterThan(1_023);
  });

  it('move to the next free one when the wanted one is taken', async () => {
    const wanted = await anyFreePort();
    await occupy(wanted, '127.0.0.1');
    expect(await new PortPicker().pick(wanted)).toBeGreaterThan(wanted);
  });

  it('are found elsewhere when all near the wanted one are taken', async () => {
    const wanted = 14_000;
    const picker = new PortPicker();
    const picked: number[] = [];
    for (let n = 0; n < 41; n += 1) picked.push(await picker.pick(wanted));
    expect(new Set(picked).size).toBe(41);
  });

  it('are never given twice, not even to those who ask at the same moment', async () => {
    const picker = new PortPicker();
    const wanted = await anyFreePort();
    const picked = await Promise.all(Array.from({ length: 5 }, () => picker.pick(wanted)));
    expect(new Set(picked).size).toBe(5);
  });

  describe('that another program takes between the choice and the start', () => {
    const listen = async (port: number) => {
      const server = net.createServer();
      listeners.push(server);
      await once(server.listen(port, '127.0.0.1'), 'listening');
      return port;
    };

    it('are followed by another one', async () => {
      const wanted = await anyFreePort();
      await occupy(wanted, '127.0.0.1');
      expect(await onFreePort(wanted, async (port) => port, listen)).toBeGreaterThan(wanted);
    });

    it('are given up after twelve tries, with what the start said', async () => {
      const wanted = await anyFreePort();
      await occupy(wanted, '127.0.0.1');
      let tried = 0;
      const start = () => listen(wanted).finally(() => (tried += 1));
      await expect(onFreePort(wanted, async (port) => port, start)).rejects.toThrow('EADDRINUSE');
      expect(tried).toBe(12);
    });

    it('are no reason to start again what fails for another', async () => {
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
