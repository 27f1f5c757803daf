import { randomUUID } from 'node:crypto';
import { DEADLINES, type ServiceName } from '@meetmark/contracts';
import { ClientProxy, type ReadPacket, type WritePacket } from '@nestjs/microservices';
import type { RequestSender } from './request-sender.js';
import type { WireHeaders } from './wire.js';

/** Data with what travels beside it. `client.send(pattern, new OutgoingMessage(…))` */
export class OutgoingMessage {
  constructor(
    readonly data: unknown,
    readonly headers: WireHeaders,
    readonly timeLeft: number,
  ) {}
}

/** Nest's client for one service over the queue transport. */
export class QueueClient extends ClientProxy {
  constructor(
    private readonly service: ServiceName,
    private readonly sender: RequestSender,
  ) {
    super();
  }

  connect(): Promise<void> {
    return this.sender.prepare(this.service);
  }

  /** The connection is shared by the clients of all services: its owner closes it. */
  close(): void {}

  unwrap<T>(): T {
    return this.sender as T;
  }

  protected publish(packet: ReadPacket, callback: (packet: WritePacket) => void): () => void {
    return this.sender.request(this.service, this.outgoing(packet), callback);
  }

  protected dispatchEvent<T>(packet: ReadPacket): Promise<T> {
    return this.sender.emit(this.service, this.outgoing(packet)) as Promise<T>;
  }

  private outgoing({ pattern, data }: ReadPacket) {
    const message =
      data instanceof OutgoingMessage
        ? data
        : new OutgoingMessage(data, { requestId: randomUUID() }, DEADLINES.call);
    return {
      pattern: this.normalizePattern(pattern),
      data: message.data,
      headers: message.headers,
      timeLeft: message.timeLeft,
    };
  }
}
