export interface Answer<Body> {
  status: number;
  body: Body;
  /** Lines of Set-Cookie. */
  cookies: string[];
}

/** Somebody who talks to the API as a browser does: sends JSON, keeps the cookie. */
export class Visitor {
  private readonly cookies = new Map<string, string>();

  constructor(
    readonly url: string,
    /** As the proxy in front says it: addresses of containers are no names of the site. */
    private readonly site = 'localhost',
  ) {}

  async send<Body = unknown>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<Body>> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        'sec-fetch-site': 'same-origin',
        'x-forwarded-host': this.site,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(this.cookies.size === 0
          ? {}
          : { cookie: [...this.cookies].map((pair) => pair.join('=')).join('; ') }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const cookies = response.headers.getSetCookie();
    for (const line of cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true && text !== '';
    return { status: response.status, body: (isJson ? JSON.parse(text) : text) as Body, cookies };
  }

  /** @throws Error with the answer when its status is another */
  async expect<Body = unknown>(status: number, method: string, path: string, body?: unknown): Promise<Body> {
    const answer = await this.send<Body>(method, path, body);
    if (answer.status !== status)
      throw new Error(`${method} ${path} answers ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** The same session at another gateway. */
  at(url: string): Visitor {
    const other = new Visitor(url, this.site);
    for (const [name, value] of this.cookies) other.cookies.set(name, value);
    return other;
  }
}

const TWO_WEEKS_MS = 14 * 24 * 3_600_000;
const TWO_HOURS_MS = 2 * 3_600_000;

/** An event as the form sends it. */
export function eventNamed(title: string) {
  const start = Date.now() + TWO_WEEKS_MS;
  return {
    title,
    description: null,
    startDate: new Date(start).toISOString(),
    endDate: new Date(start + TWO_HOURS_MS).toISOString(),
    location: 'Leeds',
    bannerImageUrl: null,
    price: null,
    capacity: null,
  };
}
