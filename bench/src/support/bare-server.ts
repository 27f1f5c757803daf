import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Redis } from 'ioredis';

/**
 * Sends the same bytes for every request, to measure the maximum rate of node:http. With a Redis URL, each
 * request reads `bench:body` without pipelining. Reports its port by IPC.
 */
const [, , file = '', redisUrl] = process.argv;
const body = readFileSync(file);
const redis = redisUrl === undefined ? null : new Redis(redisUrl);
await redis?.set('bench:body', body);
const server = createServer((_request, response) => {
  const answer = (bytes: Buffer) =>
    response
      .writeHead(200, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': bytes.length,
      })
      .end(bytes);
  if (redis === null) answer(body);
  else void redis.getBuffer('bench:body').then((bytes) => answer(bytes ?? body));
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
process.on('disconnect', () => process.exit());
