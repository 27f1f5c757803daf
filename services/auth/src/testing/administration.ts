import { RecordAudit } from '@meetmark/contracts';
import { insertAdministrator, insertUser, type UserRow } from '@meetmark/testing/factories/users';
import { authForTests, createCall } from './open-auth.js';

/** Test accounts: Grace is an administrator, Ada is not. Both are new in each test. */
export function administrationForTests(auth = authForTests()) {
  const [grace, ada] = [{} as UserRow, {} as UserRow];
  beforeEach(async () => {
    Object.assign(grace, await insertAdministrator(auth.owner, { email: 'grace@example.com' }));
    Object.assign(ada, await insertUser(auth.owner, { email: 'ada@example.com' }));
  });
  return {
    grace,
    ada,
    asGrace: () => createCall(grace),
    session: (id: string) => auth.users.get({ userId: id }),
    audited: async () => (await auth.outbox(RecordAudit)).map(({ action, changed }) => [action, ...changed]),
  };
}
