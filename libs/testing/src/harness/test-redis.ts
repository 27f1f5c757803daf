import { askBroker } from './ask-broker.js';

/** Connection string of an empty, numbered database on the run's shared Redis. Never FLUSHALL there: use `startRedis`. */
export async function testRedisUrl(): Promise<string> {
  const { url } = await askBroker<{ url: string }>('redis');
  return url;
}
