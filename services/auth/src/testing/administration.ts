import { RecordAudit } from '@meetmark/contracts';
import { insertUser, type UserRow } from '@meetmark/testing/factories/users';
import { authForTests, createCall, type TestAuth } from './open-auth.js';

/** Returns a test account that is new in each test. */
export function memberForTests(
  auth: TestAuth,
  { password, ...given }: Partial<UserRow> & { password?: string } = {},
): UserRow {
  const member = {} as UserRow;
  let hashed: Partial<UserRow> = {};
  beforeAll(async () => {
    if (password !== undefined) hashed = { passwordHash: await auth.hasher.hash(password) };
  });
  beforeEach(async () => {
    Object.assign(member, await insertUser(auth.owner, { ...given, ...hashed }));
  });
  return member;
}

/** Test accounts: Grace is an administrator, Ada is not. Both are new in each test. */
export function administrationForTests(auth = authForTests()) {
  const grace = memberForTests(auth, {
    ...{ email: 'grace@example.com', firstName: 'Grace', lastName: 'Hopper', isAdmin: true },
  });
  const ada = memberForTests(auth, { email: 'ada@example.com' });
  return {
    grace,
    ada,
    asGrace: () => createCall(grace),
    session: (id: string) => auth.users.get({ userId: id }),
    audited: async () => (await auth.outbox(RecordAudit)).map(({ action, changed }) => [action, ...changed]),
  };
}
