import { OUTBOX_CHANNEL } from '@meetmark/platform';
import { reconnectDelay } from '@meetmark/platform/redis/connection';
import { Injectable, Logger } from '@nestjs/common';
import { Client } from 'pg';
import { WorkerConfig } from '../worker.config.js';

/**
 * Hears of committed outbox rows the moment they are there. It only saves waiting: whatever it misses while its
 * connection is away, the relay's own look finds.
 */
@Injectable()
export class CommitListener {
  private readonly logger = new Logger(CommitListener.name);
  private client: Client | undefined;
  private stopped = false;
  private attempt = 0;
  private retry: NodeJS.Timeout | undefined;

  constructor(private readonly config: WorkerConfig) {}

  /** Calls `heard` for every commit that wrote an outbox row, as long as it is not stopped. */
  start(heard: () => void): void {
    const client = new Client({
      connectionString: this.config.databaseUrl,
      application_name: 'meetmark-worker-listen',
      keepAlive: true,
    });
    this.client = client;
    client.on('notification', heard);
    client.on('error', (error) => this.lost(error));
    client.once('end', () => this.again(heard));
    this.listen(client)
      .then(heard)
      .catch((error: Error) => {
        this.lost(error);
        this.again(heard);
      });
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.retry);
    await this.client?.end();
  }

  private async listen(client: Client): Promise<void> {
    await client.connect();
    await client.query(`LISTEN ${OUTBOX_CHANNEL}`);
    this.attempt = 0;
  }

  private lost({ message }: Error): void {
    if (!this.stopped) this.logger.warn(`commits cannot be listened to: ${message}`);
  }

  private again(heard: () => void): void {
    if (this.stopped) return;
    this.attempt += 1;
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.start(heard), reconnectDelay(this.attempt));
  }
}
