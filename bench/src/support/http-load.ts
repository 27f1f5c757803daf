import autocannon from 'autocannon';
import { performance } from 'node:perf_hooks';

const CONNECTIONS = 64;

export interface HttpLoad {
  perSecond: number;
  /** Share of the time in which the client itself was at work: near 1 it is the client that is measured. */
  client: number;
}

/**
 * Requests over kept-alive connections.
 * @param headers of every request, or of several senders who take turns
 * @throws Error when one of them is not answered with 2xx
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
