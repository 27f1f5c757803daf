import { DomainError, PUBLIC_EVENTS_VERSION } from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import { GatewayRedis } from '../redis/gateway-redis.js';

const NEVER_CHANGED = '0';

/**
 * The version of everything public about events. Exact: what it answers was read after it was asked. While one reading is on
 * its way, all who ask share the next one, so that a thousand requests cost a few commands.
 */
@Injectable()
export class EventsVersion {
  private running?: Promise<unknown>;
  private next?: Promise<string>;

  constructor(private readonly redis: GatewayRedis) {}

  /** @throws DomainError SERVICE_UNAVAILABLE */
  current(): Promise<string> {
    return (this.next ??= this.afterRunning());
  }

  private async afterRunning(): Promise<string> {
    await this.running;
    this.next = undefined; // from here on it would be too late to join: the reading begins
    const reading = this.redis.client.get(PUBLIC_EVENTS_VERSION);
    this.running = reading.catch(() => undefined); // only its end matters here; its failure is told below
    try {
      return (await reading) ?? NEVER_CHANGED;
    } catch (error) {
      throw new DomainError('SERVICE_UNAVAILABLE', { outcome: 'not-started' }, { cause: error });
    }
  }
}
