import http from 'node:http';
import { ApiClient, type Answer } from '@meetmark/testing/http-client';
import type { Outcome } from './ledger.js';

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

/** Somebody with an account and, once signed in, a session; asks the gateways in turn. */
export class Member extends ApiClient {
  constructor(
    private readonly gateways: Gateways,
    readonly id: string,
    readonly email: string,
  ) {
    super('');
  }

  /** Asks for codes as many browsers would (a code belongs to the cookie of one), and goes on with a session that has ended. */
  protected override keep(line: string): void {
    if (!/_flow_|^[^=]+=;/.test(line)) super.keep(line);
  }

  protected override exchange(path: string, request: RequestInit): Promise<Response> {
    return this.gateways.send(path, request);
  }
}

/** By node:http: its errors say how a connection broke, and its agents keep one for each gateway. */
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

export const outcomeOf = (status: number): Outcome => {
  if (status >= UNAVAILABLE || status === 0) return 'unknown';
  return status < OK ? 'ok' : 'refused';
};

/** The title of drafts, which stands in no answer to anybody who may not see them. */
export const HIDDEN = 'A draft that nobody may see';

/** What no answer may ever be (I10), in words; undefined when it is one that clients can live with. */
export function faultOf({ status, headers, body, text }: Answer): string | undefined {
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
