import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Redis } from 'ioredis';

/**
 * What node:http can do at most: the same bytes for every request, after one read of `bench:body` in Redis when an address of
 * one is given, each read written by itself (no pipelining of several requests). Started with the file of the bytes; tells its port by IPC.
 */
const [, , file = '', redisUrl] = process.argv;
const body = readFileSync(file);
const redis = redisUrl === undefined ? null : new Redis(redisUrl);
await redis?.set('bench:body', body); // there is something to read
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
