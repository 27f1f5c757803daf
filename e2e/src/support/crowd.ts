import { signedUp, type ApiClient } from './api-client.js';

/** So many members, each with a session. A few at a time: passwords are hashed two at a time, and the queue for it is bounded. */
export function crowd(url: string, size: number): Promise<ApiClient[]> {
  return inTurns(Array.from({ length: size }), 4, async () => (await signedUp(url)).client);
}

/** `work` for every item, at most `width` at the same time; results in the order of the items. */
export async function inTurns<T, R>(
  items: T[],
  width: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < items.length; index = next++)
      results[index] = await work(items[index] as T, index);
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}
