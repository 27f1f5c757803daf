import type { Event, User } from '@meetmark/contracts';
import { inTurns } from '@meetmark/testing';
import { eventFields, newcomer } from '@meetmark/testing/factories/samples';
import { ApiClient } from '@meetmark/testing/http-client';
import { query } from './database.js';
import { sharedStack } from './shared-stack.js';

export { eventFields, newcomer } from '@meetmark/testing/factories/samples';
export { ApiClient, type Answer, type AskedCall } from '@meetmark/testing/http-client';

/** A member who has just signed up, and their session. Their address counts as verified unless `verified` is false. */
export async function signedUp(
  url: string,
  person = newcomer(),
  verified = true,
): Promise<{ client: ApiClient; person: typeof person; user: User }> {
  const client = new ApiClient(url);
  const user = await client.signUp(person);
  if (!verified) return { client, person, user };
  // Before anybody asks for the user: no copy of them is older than this.
  await query(sharedStack().databaseUrl, 'UPDATE auth.users SET email_verified_at = now() WHERE id = $1', [
    user.id,
  ]);
  return { client, person, user: (await client.get<User>('/api/user')).body };
}

/** So many members, each with a session. A few at a time: passwords are hashed two at a time, and the queue for it is bounded. */
export const crowd = (url: string, size: number): Promise<ApiClient[]> =>
  inTurns(Array.from({ length: size }), 4, async () => (await signedUp(url)).client);

/** As `fetch`, for who looks at the status or the headers alone: an answer that nobody reads keeps its connection. */
export async function answered(...call: Parameters<typeof fetch>): Promise<Response> {
  const answer = await fetch(...call);
  await answer.arrayBuffer();
  return answer;
}

/** An event that an administrator's session has just made. */
export const createdEvent = (administrator: ApiClient, overrides: Parameters<typeof eventFields>[0] = {}) =>
  administrator.expect<Event>(201, 'POST', '/api/events', eventFields(overrides));
