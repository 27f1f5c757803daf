import { RecordAudit } from '@meetmark/contracts';
import { insertAdministrator, insertUser, type UserRow } from '@meetmark/testing/factories/users';
import { SessionUsersService } from '../users/session-user.cache.js';
import { authForTests, callOf } from './open-auth.js';

/** Accounts as administrators meet them: Grace is one, Ada is not. Both are new in each test of a `describe`. */
export function administrationForTests() {
  const auth = authForTests();
  const [grace, ada] = [{} as UserRow, {} as UserRow];
  beforeEach(async () => {
    Object.assign(grace, await insertAdministrator(auth.owner, { email: 'grace@example.com' }));
    Object.assign(ada, await insertUser(auth.owner, { email: 'ada@example.com' }));
  });
  return {
    auth,
    grace,
    ada,
    asGrace: () => callOf(grace),
    session: (id: string) => auth.get(SessionUsersService).get(id),
    /** What was asked to be recorded: each action with the fields that changed. */
    audited: async () => (await auth.outbox(RecordAudit)).map(({ action, changed }) => [action, ...changed]),
  };
}
