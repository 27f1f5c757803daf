import { randomUUID } from 'node:crypto';
import type { Event, User } from '@meetmark/contracts';
import { query } from './database.js';
import { sharedStack, type Account } from './shared-stack.js';

export interface Answer<T = unknown> {
  status: number;
  headers: Headers;
  body: T;
  text: string;
}

/** What was asked: for those who watch over a client's answers. */
export interface AskedCall {
  method: string;
  path: string;
}

/** Somebody who talks to the API as a browser would: keeps the cookie, sends JSON, says where it comes from. */
export class ApiClient {
  private readonly cookies = new Map<string, string>();
  /** Is told every answer. */
  onAnswer?: (call: AskedCall, answer: Answer) => Promise<void>;

  constructor(readonly url: string) {}

  /** The Cookie header of this session; empty without one. */
  get session(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  send<T = unknown>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> {
    if (body === undefined) return this.sendBytes<T>(method, path, undefined, headers);
    return this.sendBytes<T>(method, path, JSON.stringify(body), {
      'content-type': 'application/json',
      ...headers,
    });
  }

  /** A body exactly as it is. */
  async sendBytes<T = unknown>(
    method: string,
    path: string,
    body: BodyInit | undefined,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> {
    const response = await fetch(this.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(this.session === '' ? {} : { cookie: this.session }),
        'sec-fetch-site': 'same-origin',
        ...headers,
      },
      body,
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const text = await response.text();
    const json = response.headers.get('content-type')?.includes('json') === true && text !== '';
    const answer = {
      status: response.status,
      headers: response.headers,
      body: (json ? JSON.parse(text) : null) as T,
      text,
    };
    await this.onAnswer?.({ method, path }, answer);
    return answer;
  }

  get<T = unknown>(path: string): Promise<Answer<T>> {
    return this.send<T>('GET', path);
  }

  post<T = unknown>(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<T>> {
    return this.send<T>('POST', path, body, headers);
  }

  put<T = unknown>(path: string, body: unknown): Promise<Answer<T>> {
    return this.send<T>('PUT', path, body);
  }

  delete<T = unknown>(path: string): Promise<Answer<T>> {
    return this.send<T>('DELETE', path);
  }

  /** The same session at another gateway. */
  at(url: string): ApiClient {
    const other = new ApiClient(url);
    for (const [name, value] of this.cookies) other.cookies.set(name, value);
    other.onAnswer = this.onAnswer;
    return other;
  }

  async signIn({ email, password }: Account): Promise<User> {
    const { status, body, text } = await this.post<User>('/api/login', { email, password });
    if (status !== 200) throw new Error(`sign-in answers ${status} ${text}`);
    return body;
  }
}

/** Names that no other story uses. */
export function newcomer(firstName = 'Nora', lastName = 'Newcomer') {
  return {
    firstName,
    lastName,
    email: `${firstName}.${randomUUID()}@example.org`.toLowerCase(),
    password: 'correct horse',
  };
}

/** A member who has just signed up, and their session. Their address counts as verified unless `verified` is false. */
export async function signedUp(
  url: string,
  person = newcomer(),
  verified = true,
): Promise<{ client: ApiClient; person: typeof person; user: User }> {
  const client = new ApiClient(url);
  const { status, body, text } = await client.post<User>('/api/register', person);
  if (status !== 201) throw new Error(`sign-up answers ${status} ${text}`);
  if (!verified) return { client, person, user: body };
  // Before anybody asks for the user: no copy of them is older than this.
  await query(sharedStack().databaseUrl, 'UPDATE auth.users SET email_verified_at = now() WHERE id = $1', [
    body.id,
  ]);
  return { client, person, user: (await client.get<User>('/api/user')).body };
}

const HOUR = 3_600_000;

/** A valid event of the form, two weeks from now unless said otherwise. */
export function eventFields(overrides: Partial<Event> & { startsIn?: number } = {}) {
  const { startsIn = 14 * 24 * HOUR, ...fields } = overrides;
  const start = Date.now() + startsIn;
  return {
    title: `Story ${randomUUID()}`,
    description: null,
    startDate: new Date(start).toISOString(),
    endDate: new Date(start + 2 * HOUR).toISOString(),
    location: 'Leeds',
    bannerImageUrl: null,
    price: null,
    capacity: null,
    ...fields,
  };
}

/** An event that an administrator's session has just made. */
export async function createdEvent(
  administrator: ApiClient,
  overrides: Parameters<typeof eventFields>[0] = {},
): Promise<Event> {
  const { status, body, text } = await administrator.post<Event>('/api/events', eventFields(overrides));
  if (status !== 201) throw new Error(`creating an event answers ${status} ${text}`);
  return body;
}
