import { anyFreePort, expectNothingRefused } from '@meetmark/testing';
import { Redis } from 'ioredis';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { startBackingServers } from './backing-servers.js';
import { makeSecrets } from './secrets.js';

const START_MS = 60_000;
/** What each asks for first: PostgreSQL, Redis, the mailbox for mails and for people. */
const WANTED = [54_320, 56_379, 1_025, 8_025];

describe('PostgreSQL, Redis and the mailbox of a start', () => {
  it(
    'take other ports when other programs take theirs between the choice and the start, and let nobody into Redis without a password',
    async () => {
      const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'meetmark-backing-'));
      fs.chmodSync(directory, 0o755);
      const takers: net.Server[] = [];
      const untaken = new Set(WANTED);
      // the first choice of each is taken as soon as it is made
      const pickPort = async (wanted: number) => {
        const port = await anyFreePort();
        if (!untaken.delete(wanted)) return port;
        const taker = net.createServer((socket) => socket.destroy()).listen(port, '127.0.0.1');
        takers.push(taker);
        await once(taker, 'listening');
        return port;
      };
      const servers = await startBackingServers({
        directory,
        durable: false,
        pickPort,
        note: () => {},
        onSpawn: () => {},
        redisPasswords: makeSecrets().redisPasswords,
      });
      try {
        const used = [servers.databaseUrl, servers.redisUrl, servers.smtpUrl, servers.mailboxUrl ?? ''];
        const occupied = takers.map((taker) => (taker.address() as net.AddressInfo).port);
        expect(occupied).toHaveLength(WANTED.length);
        for (const url of used) expect(occupied).not.toContain(Number(new URL(url).port));
        await expectNothingRefused(servers.redisUrl);
        const stranger = new Redis(`redis://${new URL(servers.redisUrl).host}`, {
          ...{ lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null },
        });
        stranger.on('error', () => undefined); // the refusal is thrown by the command as well
        await expect(stranger.ping()).rejects.toThrow(/NOAUTH/);
        stranger.disconnect();
        expect((await fetch(`${servers.mailboxUrl}/api/messages`)).status).toBe(200);
      } finally {
        await servers.stop();
        for (const taker of takers) taker.close();
        fs.rmSync(directory, { recursive: true });
      }
    },
    START_MS,
  );
});
