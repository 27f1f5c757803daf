export interface Reply<T = unknown> {
  status: number;
  headers: Headers;
  body: T;
  text: string;
}

/** Talks to the gateway as a browser does: keeps cookies, says which site it comes from. */
export class Browser {
  cookies = new Map<string, string>();

  constructor(
    readonly url: string,
    readonly defaults: Record<string, string> = {},
  ) {}

  async send<T = unknown>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply<T>> {
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(this.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(this.cookies.size === 0 ? {} : { cookie: this.cookieHeader() }),
        ...this.defaults,
        ...headers,
      },
      body: body === undefined ? undefined : raw ? (body as string) : JSON.stringify(body),
    });
    this.keep(response.headers.getSetCookie());
    const text = await response.text();
    const json = /json/.test(response.headers.get('content-type') ?? '') && text !== '';
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: (json ? JSON.parse(text) : undefined) as T,
    };
  }

  get = <T = unknown>(path: string, headers?: Record<string, string>) =>
    this.send<T>('GET', path, undefined, headers);
  post = <T = unknown>(path: string, body?: unknown, headers?: Record<string, string>) =>
    this.send<T>('POST', path, body, headers);
  put = <T = unknown>(path: string, body?: unknown, headers?: Record<string, string>) =>
    this.send<T>('PUT', path, body, headers);
  delete = <T = unknown>(path: string, headers?: Record<string, string>) =>
    this.send<T>('DELETE', path, undefined, headers);

  cookieHeader = () => [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');

  private keep(lines: string[]): void {
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const expires = /expires=([^;]+)/i.exec(line)?.[1];
      const gone = value === '' || /max-age=0/i.test(line) || (expires && Date.parse(expires) < Date.now());
      if (gone) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}
