import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Logger } from '@nestjs/common';
import { ClientProxyFactory, Transport } from '@nestjs/microservices';
import { lastValueFrom } from 'rxjs';

export const STOCK_CREATE = 'stock.create';
export interface StockCreate {
  title: string;
  createdById: string;
}

const REPLICAS = 3;

/**
 * Starts replicas that use Nest's Redis transport. Passes `work` a function that creates an event through
 * them.
 */
export async function withStockTransport(
  { databaseUrl, redisUrl }: { databaseUrl: string; redisUrl: string },
  work: (create: (request: StockCreate) => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const program = fileURLToPath(new URL('./stock-replica.js', import.meta.url));
  const replicas = Array.from({ length: REPLICAS }, () => fork(program, [databaseUrl, redisUrl]));
  await Promise.all(replicas.map((replica) => once(replica, 'message')));
  Logger.overrideLogger(false); // Silences a warning for each duplicate answer.
  const { hostname: host, port, username, password } = new URL(redisUrl);
  const client = ClientProxyFactory.create({
    transport: Transport.REDIS,
    options: { host, port: Number(port), username, password },
  });
  try {
    await work((request) => lastValueFrom(client.send(STOCK_CREATE, request)));
  } finally {
    await client.close();
    for (const replica of replicas) replica.disconnect();
  }
}
