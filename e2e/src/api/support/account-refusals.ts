import { newcomer, signedUp } from '../../support/api-client.js';
import { sharedStack } from '../../support/shared-stack.js';
import { NOBODY, profileWith, type Refusal, type Stage } from './refusal.js';

const newPassword = (currentPassword: string, password: string) => (stage: Stage) =>
  stage.member.client.put('/api/user/change-password', { currentPassword, newPassword: password });
const userOf = (stage: Stage, id: string, fields: object) =>
  stage.administrator.client.put(`/api/admin/users/${id}`, {
    id,
    email: newcomer().email,
    firstName: 'A',
    lastName: 'B',
    isAdmin: false,
    ...fields,
  });

/** What is refused about accounts. */
export const ACCOUNT_REFUSALS: Refusal[] = [
  {
    code: 'ID_MISMATCH',
    when: 'body and path name two users',
    act: (stage) => userOf(stage, stage.other.user.id, { id: NOBODY }),
  },
  {
    code: 'CURRENT_PASSWORD_INCORRECT',
    when: 'the old password is wrong',
    words: 'Current password is incorrect',
    act: newPassword('wrong horse', 'new horse'),
  },
  {
    code: 'PASSWORD_UNCHANGED',
    when: 'the new password is the old one',
    words: 'New password must be different',
    act: newPassword('correct horse', 'correct horse'),
  },
  {
    code: 'PASSWORD_TOO_SHORT',
    when: 'the new password has five characters',
    words: 'New password must be at least',
    act: newPassword('correct horse', 'horse'),
  },
  {
    code: 'RESET_CODE_INVALID',
    when: 'nobody asked for a code',
    act: ({ visitor }) =>
      visitor.post('/api/reset-password', {
        email: newcomer().email,
        token: '123456',
        newPassword: 'new horse',
      }),
  },
  {
    code: 'SECOND_FACTOR_EXPIRED',
    when: 'no first step was taken',
    act: ({ visitor }) => visitor.post('/api/login/second-factor', { code: '000000' }),
  },
  {
    code: 'SECOND_FACTOR_INVALID',
    when: 'no factor was begun',
    act: ({ member }) =>
      member.client.post('/api/user/second-factors/passkey/confirm', { name: 'Key', response: {} }),
  },
  {
    code: 'SECOND_FACTOR_NOT_FOUND',
    when: 'the account has none',
    act: ({ member }) => member.client.post('/api/user/recovery-codes'),
  },
  {
    code: 'SESSION_NOT_FOUND',
    when: 'it is nobody’s',
    act: ({ member }) => member.client.delete(`/api/user/sessions/${NOBODY}`),
  },
  {
    code: 'CREDENTIALS_INCORRECT',
    when: 'the password is wrong',
    words: 'Incorrect email or password',
    act: ({ visitor, other }) => visitor.post('/api/login', { email: other.person.email, password: 'wrong' }),
  },
  ...(
    [
      ['are demoted', 'PUT', '/toggle-admin', { isAdmin: false }],
      ['set their password', 'PUT', '/reset-password', { newPassword: 'Abcd1234' }],
      ['are deleted', 'DELETE', '', undefined],
    ] as const
  ).map(([what, method, path, body]): Refusal => ({
    code: 'OWN_ACCOUNT',
    when: `administrators themselves ${what}`,
    act: ({ administrator: { client, user } }) =>
      client.send(method, `/api/admin/users/${user.id}${path}`, body),
  })),
  {
    code: 'OWN_ACCOUNT',
    when: 'administrators edit their own right away',
    act: (stage) => userOf(stage, stage.administrator.user.id, { email: stage.administrator.person.email }),
  },
  { code: 'USER_NOT_FOUND', when: 'a user is gone', act: (stage) => userOf(stage, NOBODY, {}) },
  {
    code: 'EMAIL_EXISTS',
    when: 'somebody signs up twice',
    words: 'already exists',
    act: ({ visitor, other }) =>
      visitor.post('/api/register', { ...newcomer(), email: other.person.email.toUpperCase() }),
  },
  {
    code: 'EMAIL_EXISTS',
    when: 'an administrator adds them again',
    words: 'A user with this email address already exists',
    act: ({ administrator, other }) =>
      administrator.client.post('/api/admin/users', { ...newcomer(), email: other.person.email }),
  },
  {
    code: 'CURRENT_PASSWORD_INCORRECT',
    when: 'a member wants another address with a wrong one',
    words: 'Current password is incorrect',
    act: (stage) => profileWith({ email: newcomer().email, currentPassword: 'wrong' })(stage),
  },
  {
    code: 'CODE_INVALID',
    when: 'nobody asked for a code to sign in with',
    words: 'Invalid or expired code',
    act: ({ visitor }) => visitor.post('/api/confirm', { purpose: 'sign-in', code: '123456' }),
  },
  {
    code: 'EMAIL_VERIFIED',
    when: 'a verified address is to be verified',
    act: ({ member }) => member.client.post('/api/user/verification'),
  },
  {
    code: 'EMAIL_PROOF_REQUIRED',
    when: 'the address is not verified',
    act: async () => {
      const { client } = await signedUp(sharedStack().url, newcomer(), false);
      return client.post('/api/user/second-factors/totp');
    },
  },
  {
    code: 'EMAIL_TAKEN',
    when: 'an administrator gives it to them',
    words: 'already taken',
    act: (stage) => userOf(stage, stage.member.user.id, { email: stage.other.person.email }),
  },
];
