import { environmentOf, type Surroundings } from './environment.js';
import { PROCESSES } from './processes.js';
import { makeSecrets } from './secrets.js';

describe('the environment of a process under npm start', () => {
  const around = (publicUrl: string, inherited: NodeJS.ProcessEnv = {}): Surroundings => ({
    root: '/',
    webRoot: '/data/web',
    databaseUrl: 'postgres://owner:x@localhost/meetmark',
    poolSize: 1,
    redisUrl: 'redis://localhost',
    hasRedisUsers: false,
    smtpUrl: 'smtp://localhost',
    publicUrl,
    hasFront: true,
    host: 'localhost',
    listenAt: '127.0.0.1',
    secrets: makeSecrets(),
    inherited,
  });
  const secondFactor = (...given: Parameters<typeof around>) =>
    (['gateway', 'auth'] as const).map(
      (name) =>
        environmentOf(name, around(...given), { operations: 9100, public: 8080 })['ADMIN_SECOND_FACTOR'],
    );

  it.each([
    ['http://localhost:8080', 'encouraged'],
    ['http://127.0.0.1:8080', 'encouraged'],
    ['https://events.example.org', 'required'],
    ['http://192.168.1.20:8080', 'required'],
  ])(
    'asks administrators for a second factor where others reach the site: at %s it is %s',
    (url, expected) => {
      expect(secondFactor(url)).toEqual([expected, expected]);
    },
  );

  it('leaves it to who runs the site, if they say so', () => {
    const inherited = { ADMIN_SECOND_FACTOR: 'encouraged' };
    expect(secondFactor('https://events.example.org', inherited)).toEqual(['encouraged', 'encouraged']);
  });

  it('has who is hardly asked keep no connection to PostgreSQL, unless all are told to', () => {
    const ready = (inherited: NodeJS.ProcessEnv = {}) =>
      PROCESSES.map(
        (name) =>
          environmentOf(name, around('http://localhost:8080', inherited), { operations: 9100, public: 8080 })[
            'DATABASE_POOL_READY'
          ],
      );
    expect(ready()).toEqual(['0', '1', '0', '1', '1']);
    expect(ready({ DATABASE_POOL_READY: '5' })).toEqual(Array(5).fill('5'));
  });

  it('has the gateway serve the web files that its stack keeps', () => {
    const { WEB_ROOT } = environmentOf('gateway', around('http://localhost:8080'), { operations: 9100 });
    expect(WEB_ROOT).toBe('/data/web');
  });
});
