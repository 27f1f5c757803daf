import type { Gateways, Reply } from './caller.js';

/** Somebody with an account and, once signed in, a session. */
export class Member {
  private cookie = '';

  constructor(
    private readonly gateways: Gateways,
    readonly id: string,
    readonly email: string,
  ) {}

  send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    const json = body === undefined ? undefined : JSON.stringify(body);
    return this.gateways.send(
      method,
      path,
      {
        ...this.headers(),
        ...(json === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) }),
        ...headers,
      },
      json,
    );
  }

  /** What makes a request one of this member's. */
  headers(): Record<string, string> {
    return {
      'sec-fetch-site': 'same-origin',
      ...(this.cookie === '' ? {} : { cookie: this.cookie }),
    };
  }

  /** @throws Error with the answer when it is not the session that was wanted */
  async signIn(password: string): Promise<void> {
    const reply = await this.send('POST', '/api/login', { email: this.email, password });
    const [cookie] = reply.headers['set-cookie'] ?? [];
    if (reply.status !== 200 || cookie === undefined)
      throw new Error(`sign-in answers ${reply.status} ${JSON.stringify(reply.body)}`);
    this.cookie = cookie.split(';')[0] ?? '';
  }
}
