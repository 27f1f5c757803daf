import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/** What node:http can do at most: the same bytes for every request. Started with the file of the bytes; tells its port by IPC. */
const body = readFileSync(process.argv[2] ?? '');
const server = createServer((_request, response) => {
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
  });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
process.on('disconnect', () => process.exit());
