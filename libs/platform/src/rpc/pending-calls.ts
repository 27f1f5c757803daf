import type { ServiceName } from '@meetmark/contracts';
import type { WritePacket } from '@nestjs/microservices';
import { refusals } from './refusals.js';

export interface PendingCall {
  service: ServiceName;
  /** Exactly as it stands in the queue: what LREM needs to take it back. */
  text: string;
  callback: (packet: WritePacket) => void;
}

/** The calls of this process that wait for their reply. Each is settled once: by its reply, its deadline or a lost connection. */
export class PendingCalls {
  private readonly calls = new Map<string, PendingCall & { timer: NodeJS.Timeout }>();

  add(id: string, call: PendingCall, timeLeft: number, onDeadline: (call: PendingCall) => void): void {
    const timer = setTimeout(() => {
      this.reject(id, refusals.tooLate('unknown'));
      onDeadline(call);
    }, timeLeft);
    this.calls.set(id, { ...call, timer });
  }

  resolve(id: string, response: unknown): void {
    this.settle(id, { response, isDisposed: true });
  }

  reject(id: string, err: Error): void {
    this.settle(id, { err, isDisposed: true });
  }

  rejectAll(err: Error): void {
    for (const id of [...this.calls.keys()]) this.reject(id, err);
  }

  /** Forgets a call whose caller has gone. */
  drop(id: string): void {
    clearTimeout(this.calls.get(id)?.timer);
    this.calls.delete(id);
  }

  of(service: ServiceName): [id: string, call: PendingCall][] {
    return [...this.calls].filter(([, call]) => call.service === service);
  }

  private settle(id: string, packet: WritePacket): void {
    const call = this.calls.get(id);
    if (call === undefined) return;
    this.drop(id);
    call.callback(packet);
  }
}
