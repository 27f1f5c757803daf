import autocannon from 'autocannon';

const CONNECTIONS = 64;

/** Requests a second over kept-alive connections. @throws Error when one of them is not answered with 2xx */
export async function requestsPerSecond(
  url: string,
  seconds: number,
  headers: Record<string, string> = {},
): Promise<number> {
  const result = await autocannon({ url, connections: CONNECTIONS, duration: seconds, headers });
  if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx + result.errors} requests failed`);
  return result.requests.total / result.duration;
}
