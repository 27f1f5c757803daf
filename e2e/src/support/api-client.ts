import type { Event, User } from '@meetmark/contracts';
import { eventFields, newcomer } from '@meetmark/testing/factories/samples';
import { ApiClient } from '@meetmark/testing/http-client';
import { query } from './database.js';
import { type Account, sharedStack } from './shared-stack.js';

export { eventFields, newcomer } from '@meetmark/testing/factories/samples';
export { ApiClient, type Answer } from '@meetmark/testing/http-client';

/** Clients by email address. To sign in costs a password hash, so each account signs in once per spec file. */
const signedInClients = new Map<string, Promise<ApiClient>>();

/** Returns the client that signed this account up or in, or signs it in at the shared stack. */
export function signedIn(account: Account): Promise<ApiClient> {
  const known = signedInClients.get(account.email);
  if (known) return known;
  const client = new ApiClient(sharedStack().url);
  const signingIn = client.signIn(account).then(() => client);
  signedInClients.set(account.email, signingIn);
  return signingIn;
}

/** Signs up a new member, and verifies the email address unless `verified` is false. */
export async function signedUp(
  url: string,
  person = newcomer(),
  verified = true,
): Promise<{ client: ApiClient; person: typeof person; user: User }> {
  const client = new ApiClient(url);
  const user = await client.signUp(person);
  signedInClients.set(person.email, Promise.resolve(client));
  if (!verified) return { client, person, user };
  // Verifies the address before anyone reads the user, so that no outdated copy is cached.
  await query(sharedStack().databaseUrl, 'UPDATE auth.users SET email_verified_at = now() WHERE id = $1', [
    user.id,
  ]);
  return { client, person, user: (await client.get<User>('/api/user')).body };
}

/** Like `fetch`, but reads the body, because an unread body keeps the connection busy. */
export async function answered(...call: Parameters<typeof fetch>): Promise<Response> {
  const answer = await fetch(...call);
  await answer.arrayBuffer();
  return answer;
}

export const createdEvent = (administrator: ApiClient, overrides: Parameters<typeof eventFields>[0] = {}) =>
  administrator.expect<Event>(201, 'POST', '/api/events', eventFields(overrides));
