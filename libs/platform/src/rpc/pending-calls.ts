import type { ServiceName } from '@meetmark/contracts';
import type { WritePacket } from '@nestjs/microservices';
import { refusals } from './refusals.js';

export interface PendingCall {
  service: ServiceName;
  /** Exactly as it stands in the queue: what LREM needs to take it back. */
  text: string;
  callback: (packet: WritePacket) => void;
}

/** The calls of this process that wait for their reply, by nonce. Each is settled once: by its reply, its deadline or a lost connection. */
export class PendingCalls {
  private readonly calls = new Map<string, PendingCall & { timer: NodeJS.Timeout }>();

  add(nonce: string, call: PendingCall, timeLeft: number, onDeadline: (call: PendingCall) => void): void {
    const timer = setTimeout(() => {
      this.reject(nonce, refusals.tooLate('unknown'));
      onDeadline(call);
    }, timeLeft);
    this.calls.set(nonce, { ...call, timer });
  }

  resolve(nonce: string, response: unknown): void {
    this.settle(nonce, { response, isDisposed: true });
  }

  reject(nonce: string, err: Error): void {
    this.settle(nonce, { err, isDisposed: true });
  }

  rejectAll(err: Error): void {
    for (const nonce of [...this.calls.keys()]) this.reject(nonce, err);
  }

  /** Forgets a call whose caller has gone. */
  drop(nonce: string): void {
    clearTimeout(this.calls.get(nonce)?.timer);
    this.calls.delete(nonce);
  }

  /** Whether a call of this nonce waits for an answer of this service. */
  has(nonce: string, service: ServiceName): boolean {
    return this.calls.get(nonce)?.service === service;
  }

  of(service: ServiceName): [nonce: string, call: PendingCall][] {
    return [...this.calls].filter(([, call]) => call.service === service);
  }

  private settle(nonce: string, packet: WritePacket): void {
    const call = this.calls.get(nonce);
    if (call === undefined) return;
    this.drop(nonce);
    call.callback(packet);
  }
}
