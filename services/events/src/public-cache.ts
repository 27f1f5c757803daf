import { Injectable, Logger } from '@nestjs/common';
import { DomainError, PUBLIC_EVENTS_VERSION } from '@meetmark/contracts';
import { AnswerConnection } from '@meetmark/platform';
import { reconnectDelay, sendTogether } from '@meetmark/platform/redis/connection';

/** Invalidates cached public answers, by the version under which gateways cache them. */
@Injectable()
export class PublicCache {
  private readonly logger = new Logger(PublicCache.name);

  constructor(private readonly answers: AnswerConnection) {}

  /**
   * Runs a change that public answers show, and increases the version before and after it. Before, so that caches become invalid even if
   * this process dies during the change. After, even when the change failed, since a lost connection may hide its commit. Neither is
   * awaited, because a slow Redis would cost its time twice: the author's answer follows on the same connection.
   * @throws DomainError SERVICE_UNAVAILABLE without having run the change
   */
  async changing<T>(change: () => Promise<T>): Promise<T> {
    if (this.answers.redis.status !== 'ready')
      throw new DomainError('SERVICE_UNAVAILABLE', { outcome: 'not-started', retryAfter: 1 });
    this.increase();
    try {
      return await change();
    } finally {
      this.increase();
    }
  }

  /** The change may be committed, so its author gets a success; the connection sends it again after a loss, and this after an error. */
  private increase(attempt = 1): void {
    const { redis } = this.answers;
    sendTogether(redis);
    redis.incr(PUBLIC_EVENTS_VERSION).catch((error: unknown) => {
      if (redis.status === 'end') return; // this process stops
      this.logger.warn({ err: error, msg: 'cached public answers may be old for a while' });
      setTimeout(() => this.increase(attempt + 1), reconnectDelay(attempt)).unref();
    });
  }
}
