import type { EventPage, User } from '@meetmark/contracts';
import { eventFields, newcomer } from '@meetmark/testing/factories/samples';
import type { Queryable } from '@meetmark/testing/factories/users';
import { ApiClient } from '@meetmark/testing/http-client';

/** Valid id that no record has. */
export const NOBODY = '01999999-0000-7000-8000-000000000000';

export interface Person {
  client: ApiClient;
  person: ReturnType<typeof newcomer>;
  user: User;
}

export interface People {
  /** Client of an administrator, who is the host of all events from `createEvent`. */
  administrator: ApiClient;
  visitor: () => ApiClient;
  addMember: (firstName?: string) => Promise<Person>;
  addAdministrator: () => Promise<Person>;
  createEvent: (fields?: Parameters<typeof eventFields>[0]) => Promise<EventPage>;
}

/**
 * Signs up people at a gateway. They have verified email addresses.
 * @param database connection as the database's owner
 * @param onAnswer is called with every response
 */
export async function openPeople(
  url: string,
  database: Queryable,
  onAnswer?: ApiClient['onAnswer'],
): Promise<People> {
  const visitor = () => Object.assign(new ApiClient(url), { onAnswer });
  const signUp = async (firstName: string, isAdmin: boolean): Promise<Person> => {
    const client = visitor();
    const person = { ...newcomer(), firstName };
    const { id } = await client.signUp(person);
    // Changes the account before anyone reads it, so that no outdated copy is cached.
    await database.query('UPDATE auth.users SET email_verified_at = now(), is_admin = $2 WHERE id = $1', [
      id,
      isAdmin,
    ]);
    return { client, person, user: (await client.get<User>('/api/user')).body };
  };
  const { client: administrator } = await signUp('Ada', true);
  return {
    administrator,
    visitor,
    addMember: (firstName = 'Nora') => signUp(firstName, false),
    addAdministrator: () => signUp('Ada', true),
    createEvent: (fields) => administrator.expect<EventPage>(201, 'POST', '/api/events', eventFields(fields)),
  };
}
