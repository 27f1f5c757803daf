import { Redis } from 'ioredis';

export interface BareMessage {
  id: number;
  value: unknown;
  replyTo: string;
}

/**
 * Takes messages from the queue `bare` and publishes their values, with only the Redis commands of our
 * transport. Serves to measure the minimum cost of two processes and a broker.
 */
const [, , redisUrl = '', batch = '1'] = process.argv;
process.on('disconnect', () => process.exit());
const puller = new Redis(redisUrl);
const commands = new Redis(redisUrl, { enableAutoPipelining: true });
await commands.ping();
process.send?.('ready');
for (;;) {
  const found = await puller.blmpop(0, 1, 'bare', 'LEFT', 'COUNT', batch);
  const messages = (found?.[1] ?? []).map((text) => JSON.parse(text) as BareMessage);
  await Promise.all(
    messages.map(({ id, value, replyTo }) => commands.publish(replyTo, JSON.stringify({ id, value }))),
  );
}
