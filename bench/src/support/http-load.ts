import autocannon from 'autocannon';
import { performance } from 'node:perf_hooks';

const CONNECTIONS = 64;

export interface HttpLoad {
  perSecond: number;
  /** Fraction of the time in which the client was busy. Near 1, the client is the bottleneck. */
  client: number;
}

/**
 * Sends requests over keep-alive connections.
 * @param headers for all requests, or for several senders in turn
 * @throws Error unless all responses are 2xx
 */
export async function httpLoad(
  url: string,
  seconds: number,
  headers: Record<string, string> | Record<string, string>[] = {},
): Promise<HttpLoad> {
  const before = performance.eventLoopUtilization();
  const requests = [headers].flat().map((each) => ({ headers: each }));
  const result = await autocannon({ url, connections: CONNECTIONS, duration: seconds, requests });
  if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx + result.errors} requests failed`);
  const client = performance.eventLoopUtilization(before).utilization;
  return { perSecond: result.requests.total / result.duration, client };
}
