import { registry } from '@meetmark/platform';
import { Logger } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { Histogram } from 'prom-client';

const BAD_REQUEST = 400;

const requestSeconds = new Histogram({
  name: 'http_request_seconds',
  help: 'Requests from their first byte to the end of their answer',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5],
  registers: [registry],
});

/** One line and one measurement for each request. The route, not the address: addresses hold secrets of feeds. */
export function logRequests(server: FastifyInstance): void {
  const logger = new Logger('Http');
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
    const { method } = request;
    const status = reply.statusCode;
    requestSeconds.observe({ method, route, status }, reply.elapsedTime / 1_000);
    const line = {
      requestId: request.id,
      method,
      route,
      status,
      ms: Math.round(reply.elapsedTime),
      userId: request.caller?.id,
    };
    // what was merely read is counted, not told
    if ((method === 'GET' || method === 'HEAD') && status < BAD_REQUEST) logger.debug(line);
    else logger.log(line);
    done();
  });
}
