import { send } from './client';
import { dehydratedResponse, dehydratedBody } from './dehydrated-queries';

export interface ListPage<T> {
  items: T[];
  total: number;
  next: string | null;
}

export async function readPage<T>(path: string, signal?: AbortSignal): Promise<ListPage<T>> {
  const response = await send(path, { signal });
  return toPage((await response.json()) as T[], (name) => response.headers.get(name));
}

export async function readAll<T>(path: string, signal?: AbortSignal): Promise<T[]> {
  const all: T[] = [];
  for (let next: string | null = path; next !== null;) {
    const page: ListPage<T> = await readPage<T>(next, signal);
    all.push(...page.items);
    next = page.next;
  }
  return all;
}

export function dehydratedPage<T>(path: string): ListPage<T> | undefined {
  const items = dehydratedBody<T[]>(path);
  return items && toPage(items, (name) => dehydratedResponse(path)?.headers?.[name] ?? null);
}

function toPage<T>(items: T[], header: (name: string) => string | null): ListPage<T> {
  const total = header('x-total-count');
  return { items, total: total === null ? items.length : Number(total), next: parseNextLink(header('link')) };
}

export function parseNextLink(link: string | null): string | null {
  const target = link?.split(/,\s*(?=<)/).find((part) => /;\s*rel="?next"?/i.test(part));
  const address = target?.match(/<([^>]*)>/)?.[1];
  if (!address) return null;
  const url = new URL(address, window.location.origin);
  return url.pathname + url.search;
}

export function withQuery(path: string, parameters: Record<string, string | number | undefined>): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(parameters))
    if (value !== undefined && value !== '') query.set(key, String(value));
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}
