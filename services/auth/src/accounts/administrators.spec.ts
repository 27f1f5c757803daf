import { WelcomeMail } from '@meetmark/contracts';
import { type ConfigError, loadConfig } from '@meetmark/platform';
import { TEST_KEYS } from '@meetmark/platform/testing/test-keys';
import { insertAdministrator, insertUser } from '@meetmark/testing/factories/users';
import { tally } from '@meetmark/testing';
import { SignInService } from './sign-in.service.js';
import { AuthConfig } from '../auth.config.js';
import { createAdministrator } from '../operator-commands.js';
import { authForTests } from '../testing/open-auth.js';
import { Administrators, FirstAdministrator } from './administrators.js';
import { SessionUsersService } from '../users/session-user.cache.js';

const root = { email: 'root@example.com', password: 'first password' };

describe('administrators made by whoever runs the system', () => {
  const auth = authForTests();
  let administrators: Administrators;
  beforeEach(() => {
    administrators = auth.get(Administrators);
  });

  const signIn = (password = root.password) =>
    auth.get(SignInService).signIn({ email: root.email, password });
  const countAdministrators = async () =>
    (await auth.owner.query('SELECT id FROM auth.users WHERE is_admin')).rowCount;

  it('can sign in', async () => {
    expect(await administrators.ensure(root)).toBe('created');
    expect(await signIn()).toMatchObject({ user: { isAdmin: true, email: root.email } });
    expect(await auth.outbox(WelcomeMail)).toHaveLength(1);
  });

  it('stay as they are when the command is repeated, their password included', async () => {
    await administrators.ensure(root);
    expect(await administrators.ensure({ email: 'ROOT@example.com', password: 'another' })).toBe('unchanged');
    await expect(signIn()).resolves.toMatchObject({ epoch: 1 });
  });

  it('take over a member’s account with that address, whose password and sessions end', async () => {
    const member = await insertUser(auth.owner, { email: root.email });
    await auth.get(SessionUsersService).get(member.id);
    expect(await administrators.ensure(root)).toBe('promoted');
    expect(await signIn()).toMatchObject({ user: { id: member.id, isAdmin: true }, epoch: 2 });
    expect(await auth.get(SessionUsersService).get(member.id)).toMatchObject({ epoch: 2 });
  });

  it('are made once when several replicas start for the first time', async () => {
    const results = await Promise.all(Array.from({ length: 4 }, () => administrators.ensureFirst(root)));
    expect(tally(results)).toEqual({ created: 1, unchanged: 3 });
    expect(await countAdministrators()).toBe(1);
  });

  it('are not made at start when there is one already', async () => {
    await insertAdministrator(auth.owner);
    expect(await administrators.ensureFirst(root)).toBe('unchanged');
    expect(await countAdministrators()).toBe(1);
  });

  it('are made at start from the configuration, and only from both variables', async () => {
    const start = (values: Partial<AuthConfig>) =>
      new FirstAdministrator(
        Object.assign(new AuthConfig(), values),
        administrators,
      ).onApplicationBootstrap();
    await start({});
    expect(await countAdministrators()).toBe(0);
    await start({ adminEmail: root.email, adminPassword: root.password });
    expect(await signIn()).toMatchObject({ user: { isAdmin: true } });
  });

  it('are made by the command line too', async () => {
    expect(await createAdministrator(auth.config, root)).toBe('created');
    expect(await createAdministrator(auth.config, root)).toBe('unchanged');
  });
});

describe('the configuration of auth', () => {
  const complete = {
    DATABASE_URL: 'postgres://meetmark_auth:x@localhost/meetmark',
    REDIS_URL: 'redis://localhost',
    IDENTITY_PUBLIC_KEYS: TEST_KEYS.identityPublicKeys.join(','),
    GATEWAY_AUTH_SECRETS: 'g'.repeat(32),
    ADMIN_AUTH_SECRETS: 'a'.repeat(32),
    RESET_CODE_SECRETS: 'r'.repeat(32),
    SECOND_FACTOR_SECRETS: 's'.repeat(32),
  };
  const problems = (given: Record<string, string>) => {
    try {
      loadConfig(AuthConfig, { ...complete, ...given });
      return [];
    } catch (error) {
      return (error as ConfigError).problems.map((line) => line.split(' ')[0]);
    }
  };

  it.each<[string, Record<string, string>, string[]]>([
    ['no administrator', {}, []],
    ['an administrator', { ADMIN_EMAIL: 'root@example.com', ADMIN_PASSWORD: 'secret' }, []],
    ['an address without a password', { ADMIN_EMAIL: 'root@example.com' }, ['ADMIN_PASSWORD']],
    ['a password without an address', { ADMIN_PASSWORD: 'secret' }, ['ADMIN_EMAIL']],
    ['a short password', { ADMIN_EMAIL: 'root@example.com', ADMIN_PASSWORD: '12345' }, ['ADMIN_PASSWORD']],
    ['no address at all', { ADMIN_EMAIL: 'root', ADMIN_PASSWORD: 'secret' }, ['ADMIN_EMAIL']],
    ['a short secret', { RESET_CODE_SECRETS: 'short' }, ['RESET_CODE_SECRETS']],
  ])('with %s', (_, given, named) => {
    expect(problems(given)).toEqual(named);
  });
});
