import { inTurns } from '@meetmark/testing';
import { signedUp, type ApiClient } from './api-client.js';

/** So many members, each with a session. A few at a time: passwords are hashed two at a time, and the queue for it is bounded. */
export function crowd(url: string, size: number): Promise<ApiClient[]> {
  return inTurns(Array.from({ length: size }), 4, async () => (await signedUp(url)).client);
}
