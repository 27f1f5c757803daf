import { DEADLINES } from '@meetmark/contracts';
import { BoundedMap, ServiceConfig, Bulkhead } from '@meetmark/platform';
import { Injectable } from '@nestjs/common';

/** Events whose lanes are remembered: more than can be asked for at once. */
const EVENTS = 1_000;

/**
 * Lets as many registrations of one event run at once as half of the connections: they wait for its row anyway, and while it is
 * locked they would keep all other events' from theirs.
 */
@Injectable()
export class EventLanes {
  private readonly lanes = new BoundedMap<string, Bulkhead>(EVENTS);
  private readonly width: number;

  constructor({ databasePoolSize }: ServiceConfig) {
    this.width = Math.max(1, Math.floor(databasePoolSize / 2));
  }

  /** @throws DomainError SERVICE_OVERLOADED when others were before it for as long as one waits for a connection */
  run<T>(eventId: string, task: () => Promise<T>): Promise<T> {
    const limits = { running: this.width, waiting: Infinity, maxWait: DEADLINES.poolWait };
    return this.lanes.getOrMake(eventId.toLowerCase(), () => new Bulkhead(limits)).run(task);
  }
}
