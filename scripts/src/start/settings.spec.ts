import { readSettings } from './settings.js';

describe('readSettings', () => {
  const read = (environment: NodeJS.ProcessEnv, ...args: string[]) =>
    readSettings('/checkout', '/checkout/.local', environment, args);

  it('returns a default for every setting', () => {
    expect(read({})).toMatchObject({
      port: 8080,
      portIsExplicit: false,
      host: '127.0.0.1',
      watch: false,
      databaseUrl: undefined,
    });
  });

  it('reads environment variables and arguments', () => {
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

  it.each(['0.0.0.0', '::1', 'my-laptop', 'meetmark.example.org'])('accepts %s as a host', (host) => {
    expect(read({ HOST: host }).host).toBe(host);
  });

  it.each([
    [{ PORT: 'web' }, /PORT: 'web' is not a port.*for example PORT=8090 npm start/],
    [{ PORT: '70000' }, /PORT: '70000' is not a port/],
    [{ HOST: '999.0.0.1' }, /HOST: '999\.0\.0\.1' is neither an IP address nor a host name/],
    [{ HOST: 'http://localhost' }, /HOST: .* is neither an IP address nor a host name.*HOST=0\.0\.0\.0/],
    [{ ADMIN_EMAIL: 'admin' }, /ADMIN_EMAIL: 'admin' is not an email address/],
    [{ ADMIN_EMAIL: `${'a'.repeat(250)}@b.example` }, /ADMIN_EMAIL: .* is not an email address/],
    [{ ADMIN_PASSWORD: 'short' }, /ADMIN_PASSWORD: use 6 to 255 characters/],
    [{ ADMIN_PASSWORD: 'x'.repeat(256) }, /ADMIN_PASSWORD: use 6 to 255 characters/],
  ])('rejects invalid values with the name of the variable: %j', (environment, message) => {
    expect(() => read(environment)).toThrow(message);
  });
});
