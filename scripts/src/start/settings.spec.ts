import { readSettings } from './settings.js';

describe('the settings of npm start', () => {
  const read = (environment: NodeJS.ProcessEnv, ...args: string[]) =>
    readSettings('/checkout', '/checkout/.local', environment, args);

  it('have a default for everything', () => {
    expect(read({})).toMatchObject({
      port: 8080,
      portIsExplicit: false,
      host: '127.0.0.1',
      watch: false,
      databaseUrl: undefined,
    });
  });

  it('take what the user says', () => {
    const environment = {
      PORT: '9000',
      ADMIN_EMAIL: 'a@b.example',
      DATABASE_URL: 'postgres://db/x',
      REPLICAS: 'gateway=2',
    };
    expect(read(environment, '--watch')).toMatchObject({
      port: 9000,
      portIsExplicit: true,
      watch: true,
      administrator: { email: 'a@b.example', password: undefined },
      databaseUrl: 'postgres://db/x',
      replicas: { gateway: 2 },
    });
  });

  it('do not take the machine’s name, which some shells export as HOST, for an address', () => {
    expect(read({ HOST: 'my-laptop' }).host).toBe('127.0.0.1');
    expect(read({ HOST: '0.0.0.0' }).host).toBe('0.0.0.0');
  });

  it.each([
    [{ PORT: 'web' }, /PORT: 'web' is not a port.*for example PORT=8090 npm start/],
    [{ PORT: '70000' }, /PORT: '70000' is not a port/],
    [{ ADMIN_EMAIL: 'admin' }, /ADMIN_EMAIL: 'admin' is no email address/],
    [{ ADMIN_EMAIL: `${'a'.repeat(250)}@b.example` }, /ADMIN_EMAIL: .* is no email address/],
    [{ ADMIN_PASSWORD: 'short' }, /ADMIN_PASSWORD: give 6 to 255 characters/],
    [{ ADMIN_PASSWORD: 'x'.repeat(256) }, /ADMIN_PASSWORD: give 6 to 255 characters/],
  ])('are refused with the variable named: %j', (environment, message) => {
    expect(() => read(environment)).toThrow(message);
  });
});
