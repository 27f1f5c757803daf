import http from 'node:http';
import type { Outcome } from './ledger.js';

export interface Reply {
  status: number;
  headers: http.IncomingHttpHeaders;
  /** Parsed, or null when there was none. */
  body: unknown;
}

/** Milliseconds: longer than the product may ever take, so that a hang is seen as one. */
const PATIENCE = 10_000;
const RETRY_AFTER_MAX = 30;
/** 429 as well: the rig's limits are wide, and a refusal that costs nothing is no load. */
const NEVER = new Set([401, 429, 500, 502, 504]);
const OK = 300;
const UNAVAILABLE = 503;

/** The gateways, as a balancer in front of them sees them. */
export class Gateways {
  private readonly agents = new Map<string, http.Agent>();
  private next = 0;
  private readonly away = new Set<string>();

  constructor(private readonly urls: string[]) {
    for (const url of urls) this.agents.set(url, new http.Agent({ keepAlive: true }));
  }

  /** Sends nothing new there, as a balancer does once a process says that it is not ready. */
  takeOut(url: string): void {
    this.away.add(url);
  }

  putBack(url: string): void {
    this.away.delete(url);
  }

  /** In turn; a gateway that refuses the connection has been sent nothing, so another one is asked. */
  async send(method: string, path: string, headers: http.OutgoingHttpHeaders, body?: string): Promise<Reply> {
    const refusing = new Set<string>();
    for (;;) {
      const url = this.pick(refusing);
      try {
        return await exchange(url + path, { method, headers, agent: this.agents.get(url) }, body);
      } catch (error) {
        refusing.add(url);
        const { code } = error as NodeJS.ErrnoException;
        if (code !== 'ECONNREFUSED' || refusing.size === this.urls.length) throw error;
      }
    }
  }

  close(): void {
    for (const agent of this.agents.values()) agent.destroy();
  }

  private pick(refusing: Set<string>): string {
    const willing = this.urls.filter((url) => !refusing.has(url));
    const present = willing.filter((url) => !this.away.has(url));
    const urls = present.length > 0 ? present : willing;
    return urls[this.next++ % urls.length] ?? '';
  }
}

async function exchange(url: string, options: http.RequestOptions, body?: string): Promise<Reply> {
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const request = http.request(url, { ...options, timeout: PATIENCE }, resolve);
    request.on('timeout', () => request.destroy(new Error(`no answer in ${PATIENCE} ms`)));
    request.on('error', reject);
    request.end(body);
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const json = response.headers['content-type']?.includes('json') === true && text !== '';
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: json ? JSON.parse(text) : null,
  };
}

export const outcomeOf = (status: number): Outcome => {
  if (status >= UNAVAILABLE || status === 0) return 'unknown';
  return status < OK ? 'ok' : 'refused';
};

/** What no answer may ever be (I10), in words; undefined when it is one that clients can live with. */
export function faultOf({ status, headers, body }: Reply): string | undefined {
  if (NEVER.has(status)) return `${status} ${(body as { code?: string } | null)?.code ?? ''}`;
  if (status !== UNAVAILABLE) return undefined;
  const seconds = Number(headers['retry-after']);
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > RETRY_AFTER_MAX)
    return `503 with Retry-After ${headers['retry-after']}`;
  return typeof (body as { message?: unknown } | null)?.message === 'string'
    ? undefined
    : '503 without a message';
}
