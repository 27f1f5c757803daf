import { send } from './client';
import { dehydratedResponse, dehydratedBody } from './dehydrated-queries';

/** One page of a list, as the browser reads it from an array and its headers. */
export interface ListPage<T> {
  items: T[];
  /** How many match over all pages. */
  total: number;
  /** Path and query of the next page, or null on the last. */
  next: string | null;
}

export async function readPage<T>(path: string, signal?: AbortSignal): Promise<ListPage<T>> {
  const response = await send(path, { signal });
  return pageOf((await response.json()) as T[], (name) => response.headers.get(name));
}

/** All pages of a list. */
export async function readAll<T>(path: string, signal?: AbortSignal): Promise<T[]> {
  const all: T[] = [];
  for (let next: string | null = path; next !== null;) {
    const page: ListPage<T> = await readPage<T>(next, signal);
    all.push(...page.items);
    next = page.next;
  }
  return all;
}

/** The page as it came with the document, if it did. */
export function dehydratedPage<T>(path: string): ListPage<T> | undefined {
  const items = dehydratedBody<T[]>(path);
  return items && pageOf(items, (name) => dehydratedResponse(path)?.headers?.[name] ?? null);
}

function pageOf<T>(items: T[], header: (name: string) => string | null): ListPage<T> {
  const total = header('x-total-count');
  return { items, total: total === null ? items.length : Number(total), next: nextOf(header('link')) };
}

/** The `rel="next"` target of a Link header, as a same-origin path. */
export function nextOf(link: string | null): string | null {
  const target = link?.split(/,\s*(?=<)/).find((part) => /;\s*rel="?next"?/i.test(part));
  const address = target?.match(/<([^>]*)>/)?.[1];
  if (!address) return null;
  const url = new URL(address, window.location.origin);
  return url.pathname + url.search;
}

/** `path?key=value…` without the parameters that are empty. */
export function withQuery(path: string, parameters: Record<string, string | number | undefined>): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(parameters))
    if (value !== undefined && value !== '') query.set(key, String(value));
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}
