import type { User } from '@meetmark/contracts';

export interface Answer<T = unknown> {
  status: number;
  headers: Headers;
  /** Parsed JSON. Null if the body isn't JSON. */
  body: T;
  text: string;
}

export interface AskedCall {
  method: string;
  path: string;
}

type HeaderValues = Record<string, string>;
type Body = RequestInit['body'];

/**
 * Calls the API like a browser. Keeps cookies and sends JSON. Its requests count as same-origin unless the
 * headers in `defaults` say otherwise.
 */
export class ApiClient {
  readonly cookies = new Map<string, string>();
  onAnswer?: (call: AskedCall, answer: Answer) => Promise<void>;

  constructor(
    readonly url: string,
    readonly defaults: HeaderValues = { 'sec-fetch-site': 'same-origin' },
  ) {}

  get session(): string {
    return [...this.cookies].map((pair) => pair.join('=')).join('; ');
  }

  get headers(): HeaderValues {
    return { ...(this.session === '' ? {} : { cookie: this.session }), ...this.defaults };
  }

  /** Sends strings and bytes unchanged, and everything else as JSON. */
  send<T = unknown>(method: string, path: string, body?: unknown, headers: HeaderValues = {}) {
    if (body === undefined) return this.sendBytes<T>(method, path, undefined, headers);
    const json = { 'content-type': 'application/json', ...headers };
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    return this.sendBytes<T>(method, path, raw ? (body as Body) : JSON.stringify(body), json);
  }

  async sendBytes<T = unknown>(
    method: string,
    path: string,
    body: Body,
    headers: HeaderValues = {},
  ): Promise<Answer<T>> {
    const response = await this.exchange(path, { method, headers: { ...this.headers, ...headers }, body });
    for (const line of response.headers.getSetCookie()) this.keep(line);
    const text = await response.text();
    const json = response.headers.get('content-type')?.includes('json') === true && text !== '';
    const parsed = (json ? JSON.parse(text) : null) as T;
    const answer = { status: response.status, headers: response.headers, body: parsed, text };
    await this.onAnswer?.({ method, path }, answer);
    return answer;
  }

  get = <T = unknown>(path: string, headers?: HeaderValues) => this.send<T>('GET', path, undefined, headers);
  post = <T = unknown>(path: string, body?: unknown, headers?: HeaderValues) =>
    this.send<T>('POST', path, body, headers);
  put = <T = unknown>(path: string, body?: unknown, headers?: HeaderValues) =>
    this.send<T>('PUT', path, body, headers);
  delete = <T = unknown>(path: string, headers?: HeaderValues) =>
    this.send<T>('DELETE', path, undefined, headers);

  /** @throws Error with the response if its status isn't `status` */
  async expect<T = unknown>(status: number, method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.send<T>(method, path, body);
    if (answer.status !== status)
      throw new Error(`${method} ${path} answers ${answer.status} ${answer.text}`);
    return answer.body;
  }

  signIn({ email, password }: { email: string; password: string }): Promise<User> {
    return this.expect<User>(200, 'POST', '/api/login', { email, password });
  }

  signUp(person: object): Promise<User> {
    return this.expect<User>(201, 'POST', '/api/register', person);
  }

  at(url = this.url): ApiClient {
    const other = new ApiClient(url, this.defaults);
    for (const [name, value] of this.cookies) other.cookies.set(name, value);
    other.onAnswer = this.onAnswer;
    return other;
  }

  protected keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    const expires = /expires=([^;]+)/i.exec(line)?.[1];
    const gone = /max-age=0/i.test(line) || (expires !== undefined && Date.parse(expires) < Date.now());
    if (value === '' || gone) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }

  protected exchange(path: string, request: RequestInit): Promise<Response> {
    return fetch(this.url + path, { redirect: 'manual', ...request });
  }
}
