import type { DoorGuest, DoorResult, DoorSnapshot, ErrorBody, ErrorCode } from '@meetmark/contracts';
import { loadRefusalText } from '../api/refusal-text';
import {
  type Answer,
  toAnswer,
  asSeen,
  countGuests,
  objection,
  type Seen,
  wasWrong,
  withResult,
} from './guest-list';
import type { DoorStore } from './store';

/** Intervals and timeouts in milliseconds. */
const TIMES = {
  /**
   * Shortest pause between reads of the guest list. The pause is longer for long lists (`refreshPerGuest`).
   */
  refresh: 10_000,
  refreshPerGuest: 8,
  /** After this time, the phone answers a scan without the server. */
  patience: 1_500,
  call: 8_000,
  firstRetry: 1_000,
  lastRetry: 15_000,
};
const BATCH = 100;
const NOT_MODIFIED = 304;
const FINAL = new Set([400, 404, 409, 413, 422]);

class Refused extends Error {
  constructor(
    readonly status: number,
    readonly body: ErrorBody | null,
    /** Milliseconds from the Retry-After header, or 0 without one. */
    readonly retryAfter: number,
  ) {
    super(body?.message ?? `HTTP ${status}`);
  }
}

/** Checks the error code instead of the status, because a proxy (such as a hotel's) may send any status. */
const isEnded = (error: unknown) => error instanceof Refused && error.body?.code === 'DOOR_LINK_ENDED';
const isFinal = (error: unknown): error is Refused =>
  error instanceof Refused && error.body?.code !== undefined && FINAL.has(error.status);

export interface PhoneState {
  link: 'opening' | 'open' | 'ended';
  online: boolean;
  event: DoorSnapshot['event'] | null;
  guests: DoorGuest[];
  counts: { registered: number; checkedIn: number };
  waiting: number;
  mistakes: { key: string; name: string; answer: Answer }[];
  refused: { key: string; name: string; at: string }[];
  forgetful: boolean;
}

export class DoorPhone {
  private snapshot: DoorSnapshot | null = null;
  private seen: Seen[] = [];
  private state: PhoneState = {
    link: 'opening',
    online: true,
    event: null,
    guests: [],
    counts: { registered: 0, checkedIn: 0 },
    waiting: 0,
    mistakes: [],
    refused: [],
    forgetful: false,
  };
  private readonly listeners = new Set<() => void>();
  private readonly awaited = new Map<string, (answer: Answer | null) => void>();
  /** Milliseconds that this phone's clock is ahead of the server's. */
  private ahead = 0;
  private etag = '';
  /**
   * Number of changes that the server has answered. A guest list requested before the latest answer is
   * discarded.
   */
  private changes = 0;
  private failures = 0;
  /** Time of the last read in milliseconds (performance.now()), or -Infinity after a failed call. */
  private readAt = -Infinity;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private sending: Promise<void> | null = null;
  private sendingNext: Promise<void> | null = null;
  private ending: Promise<void> | null = null;
  /** Keys of items that may have reached the server, so only the server can undo them. */
  private readonly tried = new Set<string>();
  private readonly entered = new Map<string, string>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly token: string,
    private readonly store: DoorStore,
    { forgetful = false } = {},
  ) {
    this.state.forgetful = forgetful;
  }

  readonly now = () => this.state;

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  async start(): Promise<void> {
    const kept = await this.store.read();
    this.snapshot = kept.snapshot;
    this.seen = kept.seen;
    for (const { key } of kept.seen) this.tried.add(key);
    this.show(kept.snapshot ? { link: 'open' } : {});
    const look = () => void this.look();
    const options = { signal: this.stopping.signal };
    window.addEventListener('online', look, options);
    window.addEventListener('offline', () => this.show({ online: false }), options);
    document.addEventListener(
      'visibilitychange',
      () => document.visibilityState === 'visible' && look(),
      options,
    );
    await this.look();
  }

  stop(): void {
    this.stopping.abort();
    clearTimeout(this.timer);
  }

  async scan(code: string): Promise<Answer> {
    const digest = await computeDigest(code);
    const guest = this.state.guests.find(({ codeDigest }) => digest !== null && codeDigest === digest);
    if (guest) return this.choose(guest.id);
    // only the server knows new guests and guests of other events
    if (!this.state.online) return { kind: 'unknown', code };
    const item: Seen = { key: newKey(), code, at: timeNow(), name: '' };
    try {
      const [result] = await within(TIMES.patience, this.sendItems([item]));
      if (!result) return { kind: 'unknown', code };
      this.settle(item, result);
      return toAnswer(result);
    } catch (error) {
      if (isEnded(error)) await this.look();
      return isFinal(error) ? { kind: 'unknown' } : { kind: 'unknown', code };
    }
  }

  /** @param override admits the guest without a registration */
  async choose(guestId: string, override?: true): Promise<Answer> {
    const guest = this.state.guests.find(({ id }) => id === guestId);
    if (!guest) return { kind: 'unknown' };
    const answer = objection(guest, this.snapshot?.event.cancelled ?? false, override);
    if (answer) return answer;
    return this.enter({ key: newKey(), guestId, at: timeNow(), name: guest.name, override });
  }

  letInUnknown(code: string, name: string): Promise<Answer> {
    return this.enter({ key: newKey(), code, at: timeNow(), name, override: true });
  }

  walkIn(name: string, email: string | null, override?: true): Promise<Answer> {
    return this.enter({ key: newKey(), at: timeNow(), name, override, walkIn: { email } });
  }

  async undo(key: string, name: string): Promise<Answer> {
    const item = this.seen.find((one) => one.key === key);
    if (item && !this.tried.has(key)) {
      await this.forget([key]);
      return { kind: 'undone', name };
    }
    const about = item?.guestId ?? this.entered.get(key) ?? key;
    const answer = await this.enter({ key: newKey(), undo: key, about, at: timeNow(), name });
    return answer.kind === 'in' ? { kind: 'undone', name } : answer;
  }

  dismiss(key: string): void {
    this.show({ mistakes: this.state.mistakes.filter((one) => one.key !== key) });
  }

  private async enter(item: Seen): Promise<Answer> {
    this.seen = [...this.seen, item];
    await this.keep(() => this.store.put(item));
    const wasOnline = this.state.online;
    const answered = new Promise<Answer | null>((resolve) => this.awaited.set(item.key, resolve));
    this.show({});
    void this.look();
    const answer = wasOnline ? await within(TIMES.patience, answered).catch(() => null) : null;
    this.awaited.delete(item.key);
    if (answer) return answer;
    // the person has been let in, so the server must accept them even if the event is full
    const kept = this.seen.find(({ key }) => key === item.key);
    if (kept?.walkIn && !kept.override) {
      this.seen = this.seen.map((one) => (one === kept ? { ...kept, override: true } : one));
      await this.keep(() => this.store.put({ ...kept, override: true }));
    }
    return { kind: 'in', name: item.name, key: item.key };
  }

  private async look(): Promise<void> {
    clearTimeout(this.timer);
    if (this.state.link === 'ended' || this.stopping.signal.aborted) return;
    let pause: number;
    try {
      await this.flush();
      pause = this.refreshPause();
      // reading a long list after every check-in would be slow
      if (pause === TIMES.refresh || performance.now() - this.readAt >= pause) await this.refresh();
      this.failures = 0;
      this.show({ online: true, link: 'open' });
    } catch (error) {
      if (this.stopping.signal.aborted) return;
      if (isEnded(error)) return this.end();
      this.show({ online: false });
      this.failures += 1;
      this.readAt = -Infinity;
      const backoff = Math.min(TIMES.lastRetry, TIMES.firstRetry * 2 ** (this.failures - 1));
      pause = Math.max(backoff, error instanceof Refused ? error.retryAfter : 0);
      for (const answer of this.awaited.values()) answer(null);
    }
    this.lookIn(pause);
  }

  private refreshPause(): number {
    return Math.max(TIMES.refresh, (this.snapshot?.guests.length ?? 0) * TIMES.refreshPerGuest);
  }

  /** Randomises the pause, so that phones in the same network don't all call at the same time. */
  private lookIn(pause: number): void {
    clearTimeout(this.timer);
    if (document.visibilityState === 'hidden' && this.seen.length === 0) return;
    this.timer = setTimeout(() => void this.look(), pause * (0.8 + Math.random() * 0.4));
  }

  /** Sends unsent items. If called while sending, sends again afterwards, because the network may be back. */
  private flush(): Promise<void> {
    if (this.sending) {
      this.sendingNext ??= this.sending
        .catch(() => undefined)
        .then(() => {
          this.sendingNext = null;
          return this.flush();
        });
      return this.sendingNext;
    }
    this.sending = this.sendAll().finally(() => (this.sending = null));
    return this.sending;
  }

  private async sendAll(): Promise<void> {
    let size = BATCH;
    while (this.seen[0] !== undefined) {
      const first = this.seen[0];
      if (first.walkIn) {
        await this.sendWalkIn(first);
        continue;
      }
      const others = this.seen.findIndex(({ walkIn }) => walkIn);
      const batch = this.seen.slice(0, others === -1 ? size : Math.min(size, others));
      try {
        const results = await this.sendItems(batch);
        const byKey = new Map(results.map((result) => [result.key, result]));
        for (const item of batch)
          this.settle(item, byKey.get(item.key) ?? { key: item.key, result: 'unknown' });
        await this.forget(batch.map(({ key }) => key));
      } catch (error) {
        if (!isFinal(error)) throw error;
        if (batch.length > 1) size = 1;
        else await this.reject(first, { kind: 'refused', name: first.name, reason: error.message });
      }
    }
  }

  private async sendWalkIn(item: Seen): Promise<void> {
    const { key, name, override, walkIn } = item;
    try {
      this.settle(item, await this.callWalkIn(item));
      await this.forget([key]);
    } catch (error) {
      if (!isFinal(error)) throw error;
      const email = walkIn?.email ?? null;
      const answers: Partial<Record<ErrorCode, Answer>> = {
        EVENT_FULL: { kind: 'full', name, email },
        DOOR_MAIL_LIMIT: { kind: 'no-address', name },
        EVENT_CANCELLED: { kind: 'event-cancelled' },
      };
      const answer = answers[error.body!.code] ?? { kind: 'refused', name, reason: error.message };
      // the phone may have admitted the person in the meantime
      const now = this.seen.find((one) => one.key === key);
      const isOpen = answer.kind === 'full' || answer.kind === 'no-address';
      if (isOpen && now?.override && !override) return;
      await this.reject(item, answer);
    }
  }

  private async callWalkIn({ key, name, at, override, walkIn }: Seen): Promise<DoorResult> {
    const body = { key, name, email: walkIn?.email ?? null, at, sentAt: timeNow(), override };
    return (await (await this.call('/walk-ins', body, [key])).json()) as DoorResult;
  }

  private async sendItems(items: Seen[]): Promise<DoorResult[]> {
    const sent = items.map(({ key, guestId, code, at, override, undo }) => ({
      ...{ key, guestId, code, at, override, undo },
    }));
    const keys = items.map(({ key }) => key);
    const response = await this.call('/check-ins', { sentAt: timeNow(), items: sent }, keys);
    return (await response.json()) as DoorResult[];
  }

  private settle(item: Seen, result: DoorResult): void {
    this.changes += 1;
    const { guestId } = result;
    if (this.snapshot) this.snapshot = withResult(this.snapshot, item, result);
    if (guestId !== undefined) this.entered.set(item.key, guestId);
    const answer = toAnswer({ name: item.name, ...result });
    const waits = this.awaited.get(item.key);
    if (waits) waits(answer);
    else if (item.name !== '' && wasWrong(item, result)) this.addMistake(item, answer);
  }

  private async reject(item: Seen, answer: Answer): Promise<void> {
    const waits = this.awaited.get(item.key);
    if (waits) waits(answer);
    else this.addMistake(item, answer);
    await this.forget([item.key]);
  }

  private addMistake({ key, name }: Seen, answer: Answer): void {
    this.show({ mistakes: [...this.state.mistakes.filter((one) => one.key !== key), { key, name, answer }] });
  }

  private async forget(keys: string[]): Promise<void> {
    this.seen = this.seen.filter(({ key }) => !keys.includes(key));
    await this.keep(() => this.store.remove(keys));
    this.show({});
  }

  private async refresh(): Promise<void> {
    const before = this.changes;
    this.readAt = performance.now();
    const response = await this.call('');
    if (response.status === NOT_MODIFIED) return;
    const snapshot = (await response.json()) as DoorSnapshot;
    if (before !== this.changes) return;
    this.etag = response.headers.get('etag') ?? '';
    const date = Date.parse(response.headers.get('date') ?? '');
    // the Date header has no milliseconds, so differences below two seconds don't count
    const ahead = Date.now() - date;
    this.ahead = Math.abs(ahead) < 2_000 || Number.isNaN(ahead) ? 0 : ahead;
    this.snapshot = snapshot;
    await this.keep(() => this.store.saveSnapshot(snapshot));
  }

  private end(): Promise<void> {
    this.ending ??= this.handOver()
      .catch(() => {
        this.show({ online: false });
        this.lookIn(TIMES.lastRetry);
      })
      .finally(() => (this.ending = null));
    return this.ending;
  }

  private async handOver(): Promise<void> {
    while (this.seen.length > 0) {
      const batch = this.seen.slice(0, BATCH);
      const takenBack = new Set(this.seen.map(({ undo }) => undo));
      const lost = batch.filter(({ key, undo }) => undo === undefined && !takenBack.has(key));
      const items = lost.filter(({ walkIn }) => !walkIn);
      const sending: (() => Promise<unknown>)[] = lost
        .filter(({ walkIn }) => walkIn)
        .map((item) => () => this.callWalkIn(item));
      if (items.length > 0) sending.push(() => this.sendItems(items));
      for (const send of sending)
        await send().catch((error: unknown) => {
          if (!isEnded(error)) throw error;
        });
      this.seen = this.seen.slice(batch.length);
      const refused = lost.map(({ key, name, at }) => ({ key, name, at: this.real(at) }));
      this.show({ refused: [...this.state.refused, ...refused] });
      await this.keep(() => this.store.remove(batch.map(({ key }) => key)));
    }
    await this.keep(() => this.store.clear());
    this.snapshot = null;
    for (const answer of this.awaited.values()) answer(null);
    this.show({ link: 'ended', online: true });
  }

  private readonly real = (at: string) => new Date(Date.parse(at) - this.ahead).toISOString();

  /** Sets `forgetful` and continues if the write fails, for example because the storage is full. */
  private async keep(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch {
      this.show({ forgetful: true });
    }
  }

  private async call(path: string, body?: object, keys: string[] = []): Promise<Response> {
    for (const key of keys) this.tried.add(key);
    const response = await fetch(`/api/door${path}`, {
      method: body ? 'POST' : 'GET',
      // keeps names out of the browser's cache
      cache: 'no-store',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(!body && this.snapshot && this.etag && { 'if-none-match': this.etag }),
      },
      body: body && JSON.stringify(body),
      signal: AbortSignal.any([AbortSignal.timeout(TIMES.call), this.stopping.signal]),
    });
    if (response.ok || response.status === NOT_MODIFIED) return response;
    const said = (await response.json().catch(() => null)) as ErrorBody | null;
    const error = said && { ...said, ...(await loadRefusalText(said)) };
    throw new Refused(response.status, error, Number(response.headers.get('retry-after') ?? 0) * 1_000 || 0);
  }

  private show(change: Partial<PhoneState>): void {
    const guests = asSeen(this.snapshot?.guests ?? [], this.seen, this.ahead);
    this.state = {
      ...this.state,
      event: this.snapshot?.event ?? this.state.event,
      guests,
      counts: countGuests(guests),
      waiting: this.seen.length,
      ...change,
    };
    this.listeners.forEach((listener) => listener());
  }
}

const timeNow = () => new Date().toISOString();

/** crypto.randomUUID() would require HTTPS. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Returns the SHA-256 digest in base64url, or null without HTTPS. */
export async function computeDigest(text: string): Promise<string | null> {
  if (!('subtle' in crypto)) return null;
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('late')), milliseconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
