import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import type { BareMessage } from './bare-replica.js';

const REPLIES = 'bare:replies';

/** A caller and a replica (a process of its own) that speak our transport's commands by ioredis alone. */
export async function openBareQueue(redisUrl: string, batch: number) {
  const program = fileURLToPath(new URL('./bare-replica.js', import.meta.url));
  const replica = fork(program, [redisUrl, String(batch)]);
  await once(replica, 'message');
  const commands = new Redis(redisUrl, { enableAutoPipelining: true });
  const replies = new Redis(redisUrl);
  const waiting = new Map<number, (value: unknown) => void>();
  replies.on('message', (_channel: string, text: string) => {
    const { id, value } = JSON.parse(text) as BareMessage;
    waiting.get(id)?.(value);
    waiting.delete(id);
  });
  await replies.subscribe(REPLIES);
  let id = 0;
  return {
    async call(value: unknown): Promise<unknown> {
      const message: BareMessage = { id: (id += 1), value, replyTo: REPLIES };
      const answer = new Promise((resolve) => waiting.set(message.id, resolve));
      await commands.rpush('bare', JSON.stringify(message));
      return answer;
    },
    close(): void {
      commands.disconnect();
      replies.disconnect();
      replica.disconnect();
    },
  };
}
