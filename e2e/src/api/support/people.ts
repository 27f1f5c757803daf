import type { User } from '@meetmark/contracts';
import { ApiClient, newcomer, signedIn, signedUp } from '../../support/api-client.js';
import { sharedStack } from '../../support/shared-stack.js';
import { ApiDescription } from './api-description.js';

let description: Promise<ApiDescription> | undefined;

export const apiDescription = () => (description ??= ApiDescription.read(sharedStack().url));

export function held(client: ApiClient): ApiClient {
  client.onAnswer = async (call, answer) => {
    if (!/^\/(api|media)\//i.test(call.path)) return;
    const faults = (await apiDescription()).faults(call, answer);
    if (faults.length > 0) throw new Error(`${faults.join('\n')}\n${answer.text.slice(0, 500)}`);
  };
  return client;
}

export const visitor = () => held(new ApiClient(sharedStack().url));

/** Valid id that no record has. */
export const NOBODY = '01999999-0000-7000-8000-000000000000';

export interface Person {
  client: ApiClient;
  person: ReturnType<typeof newcomer>;
  user: User;
}

export async function aMember(firstName = 'Nora'): Promise<Person> {
  const { client, person, user } = await signedUp(sharedStack().url, { ...newcomer(), firstName });
  return { client: held(client), person, user };
}

export async function theAdministrator(): Promise<ApiClient> {
  return held((await signedIn(sharedStack().administrator)).at());
}

export async function anAdministrator(): Promise<Person> {
  const { client, person, user } = await aMember('Ada');
  const promoted = await (
    await theAdministrator()
  ).put<User>(`/api/admin/users/${user.id}/toggle-admin`, { isAdmin: true });
  if (promoted.status !== 200) throw new Error(`promotion answers ${promoted.status} ${promoted.text}`);
  return { client, person, user: promoted.body };
}
