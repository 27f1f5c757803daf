import type { Page, PageRequest } from '@meetmark/contracts';
import type { FastifyReply } from 'fastify';

/** A page as HTTP shows it (D21): a plain array, with the total and the address of the next page in headers. */
export function answerPage<T>(reply: FastifyReply, filter: PageRequest, page: Page<T>): T[] {
  const [path = ''] = reply.request.url.split('?', 1);
  reply.headers(pageHeaders(path, filter, page));
  return page.items;
}

/** `filter` is what the page was asked by; the next one is asked for alike, with its cursor. */
export function pageHeaders(
  path: string,
  filter: PageRequest,
  { total, nextCursor }: Page<unknown>,
): Record<string, string> {
  const headers = { 'x-total-count': String(total) };
  if (nextCursor === null) return headers;
  const parameters = new URLSearchParams(
    Object.entries({ ...filter, cursor: nextCursor })
      .filter(([, value]) => value !== undefined)
      .map(([name, value]): [string, string] => [name, String(value)]),
  );
  return { ...headers, link: `<${path}?${parameters}>; rel="next"` };
}
