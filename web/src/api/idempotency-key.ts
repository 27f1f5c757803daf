import { useRef } from 'react';

const KEY_BYTES = 16;

// Not randomUUID(): browsers offer that one over HTTPS only.
const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(KEY_BYTES)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');

/** Headers that let a creation be repeated safely after a failure (D36): the same content keeps its key. */
export function useIdempotencyKey(): (payload: unknown) => Record<string, string> {
  const last = useRef({ content: '', key: '' });
  return (payload) => {
    const content = JSON.stringify(payload);
    if (content !== last.current.content) last.current = { content, key: randomKey() };
    return { 'Idempotency-Key': last.current.key };
  };
}
