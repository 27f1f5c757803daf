import { jest } from '@jest/globals';
import type { ErrorDetails } from '@meetmark/contracts';

interface FakeRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Headers;
  body: unknown;
}

interface FakeAnswer {
  status?: number;
  /** Sent as JSON, except bytes. */
  body?: unknown;
  headers?: Record<string, string>;
}

type Handler = (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>;
export type Handlers = Record<string, Handler>;

class FakeRequests extends Array<FakeRequest> {
  /** Makes `map` and `filter` return plain arrays. */
  static override get [Symbol.species]() {
    return Array;
  }

  /** Returns the requests of one call, such as `'POST /api/events'`, or all that change something. */
  sent(call?: string): FakeRequest[] {
    return this.filter(({ method, path }) =>
      call === undefined ? method !== 'GET' : `${method} ${path}` === call,
    );
  }

  /** Returns the method, path and body of all requests that change something. */
  changes(): unknown[][] {
    return this.sent().map(({ method, path, body }) => [method, path, body]);
  }

  bodies(call?: string): unknown[] {
    return this.sent(call).map(({ body }) => body);
  }
}

export const refusal = (
  status: number,
  code: string,
  message: string,
  details?: ErrorDetails,
): FakeAnswer => ({
  status,
  body: { statusCode: status, code, message, details, requestId: 'test' },
});

/**
 * Replaces `fetch`. The handlers are keyed by call, such as `'GET /api/user'`. A call without a handler fails
 * like a network error. Returns a list that collects all requests in order.
 */
export function fakeApi(handlers: Handlers): FakeRequests {
  const requests = new FakeRequests();
  globalThis.fetch = jest.fn<typeof fetch>(async (target, init) => {
    const url = new URL(String(target), window.location.origin);
    const request: FakeRequest = {
      method: init?.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      headers: new Headers(init?.headers),
      body: typeof init?.body === 'string' ? JSON.parse(init.body) : undefined,
    };
    requests.push(request);
    const handler = handlers[`${request.method} ${request.path}`];
    if (!handler) throw new TypeError('Failed to fetch');
    const { status = 200, body, headers } = await handler(request);
    if (ArrayBuffer.isView(body)) return new Response(body as Uint8Array<ArrayBuffer>, { status, headers });
    return new Response(body === undefined ? null : JSON.stringify(body), { status, headers });
  });
  return requests;
}
