import http from 'node:http';
import { ApiClient, type Answer } from '@meetmark/testing/http-client';
import type { Outcome } from './ledger.js';

/** Milliseconds. Longer than any response may take, so a timeout means that the request hangs. */
const PATIENCE = 10_000;
const RETRY_AFTER_MAX = 30;
/** Statuses that must never occur. They include 429, because the rig's rate limits are too high to reach. */
const NEVER = new Set([401, 429, 500, 502, 504]);
const OK = 300;
const UNAVAILABLE = 503;

export class Gateways {
  private readonly agents = new Map<string, http.Agent>();
  private next = 0;
  private readonly away = new Set<string>();

  constructor(private readonly urls: string[]) {
    for (const url of urls) this.agents.set(url, new http.Agent({ keepAlive: true }));
  }

  takeOut(url: string): void {
    this.away.add(url);
  }

  putBack(url: string): void {
    this.away.delete(url);
  }

  /** Sends each request to the next gateway, and tries another gateway if it refuses the connection. */
  async send(path: string, request: RequestInit): Promise<Response> {
    const refusing = new Set<string>();
    for (;;) {
      const url = this.pick(refusing);
      try {
        return await exchange(url + path, request, this.agents.get(url));
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

export class Member extends ApiClient {
  constructor(
    private readonly gateways: Gateways,
    readonly id: string,
    readonly email: string,
  ) {
    super('');
  }

  /**
   * Ignores `_flow_` cookies, so that each request for a code seems to come from another browser. Also
   * ignores responses that clear a cookie, so that the session cookie is kept.
   */
  protected override keep(line: string): void {
    if (!/_flow_|^[^=]+=;/.test(line)) super.keep(line);
  }

  protected override exchange(path: string, request: RequestInit): Promise<Response> {
    return this.gateways.send(path, request);
  }
}

/**
 * Sends a request with node:http, whose errors show how a connection broke. Each gateway has its own agent.
 */
async function exchange(
  url: string,
  { method, headers, body }: RequestInit,
  agent: http.Agent | undefined,
): Promise<Response> {
  const options = { method, headers: headers as Record<string, string>, agent, timeout: PATIENCE };
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const request = http.request(url, options, resolve);
    request.on('timeout', () => request.destroy(new Error(`no answer in ${PATIENCE} ms`)));
    request.on('error', reject);
    request.end(body);
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const answered = new Headers();
  for (const [name, values = []] of Object.entries(response.headersDistinct))
    for (const value of values) answered.append(name, value);
  const content = chunks.length === 0 ? null : Buffer.concat(chunks);
  return new Response(content, { status: response.statusCode, headers: answered });
}

export const toOutcome = (status: number): Outcome => {
  if (status >= UNAVAILABLE || status === 0) return 'unknown';
  return status < OK ? 'ok' : 'refused';
};

/** Title of the drafts. Members' responses must not contain it. */
export const HIDDEN = 'A draft that nobody may see';

/** Returns what is wrong with a response that must never occur (I10), or undefined for other responses. */
export function findFault({ status, headers, body, text }: Answer): string | undefined {
  if (text.includes(HIDDEN)) return 'shows a draft';
  if (NEVER.has(status)) return `${status} ${(body as { code?: string } | null)?.code ?? ''}`;
  if (status !== UNAVAILABLE) return undefined;
  const seconds = Number(headers.get('retry-after'));
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > RETRY_AFTER_MAX)
    return `503 with Retry-After ${headers.get('retry-after')}`;
  return typeof (body as { message?: unknown } | null)?.message === 'string'
    ? undefined
    : '503 without a message';
}
