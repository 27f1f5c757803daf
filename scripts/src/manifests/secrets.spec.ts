import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { environmentOf } from '../stack/environment.js';
import { makeSecrets } from '../stack/secrets.js';
import { containerOf, field, OWN } from './lookup.js';
import { render } from './render.js';

interface ComposeFile {
  services: Record<string, { environment: Record<string, string> }>;
}

const ROOT = path.resolve(import.meta.dirname, '../../..');
const compose = readFileSync(path.join(ROOT, 'docker-compose.yml'), 'utf8');
const { services } = parse(compose, { merge: true }) as ComposeFile;
const manifests = render(path.join(ROOT, 'k8s/overlays/local'));
const around = {
  ...{
    root: ROOT,
    webRoot: '/data/web',
    databaseUrl: 'postgres://localhost/x',
    redisUrl: 'redis://localhost',
    smtpUrl: 'smtp://x',
  },
  ...{
    poolSize: 2,
    hasRedisUsers: true,
    publicUrl: 'http://localhost',
    hasFront: true,
    host: '127.0.0.1',
    listenAt: '127.0.0.1',
  },
  ...{ secrets: makeSecrets(), inherited: {} },
};

/** Names of variables that open something. */
const secret = (names: string[]) =>
  names.filter((name) => /_SECRETS$|_KEY$|PASSWORD$|(DATABASE|REDIS|SMTP)_URL$/.test(name)).toSorted();

/** What each of them needs: taking over one process gives no more. */
const NEEDED = {
  gateway: [
    ...['GATEWAY_AUTH_SECRETS', 'GATEWAY_EVENTS_SECRETS', 'GATEWAY_ADMIN_SECRETS'],
    ...['IDENTITY_PRIVATE_KEY', 'LINK_SECRETS', 'SESSION_SECRETS'],
  ],
  auth: ['GATEWAY_AUTH_SECRETS', 'ADMIN_AUTH_SECRETS', 'RESET_CODE_SECRETS', 'SECOND_FACTOR_SECRETS'],
  events: ['GATEWAY_EVENTS_SECRETS', 'ADMIN_EVENTS_SECRETS', 'GUEST_CODE_SECRETS'],
  admin: ['GATEWAY_ADMIN_SECRETS', 'ADMIN_AUTH_SECRETS', 'ADMIN_EVENTS_SECRETS'],
  worker: ['LINK_SECRETS', 'RESET_CODE_SECRETS', 'GUEST_CODE_SECRETS', 'SMTP_URL'],
};
/** npm start makes its administrator itself. */
const FIRST_ADMINISTRATOR = ['ADMIN_PASSWORD'];

describe.each(OWN)('the secrets of %s', (name) => {
  const needed = ['DATABASE_URL', 'REDIS_URL', ...NEEDED[name]];
  const installed = name === 'auth' ? [...needed, ...FIRST_ADMINISTRATOR] : needed;

  it('are those that it needs, in Compose', () => {
    expect(secret(Object.keys(services[name]?.environment ?? {}))).toEqual(installed.toSorted());
  });

  it('are the same in Kubernetes', () => {
    const variables = field<{ name: string }[]>(containerOf(manifests, name), 'env');
    expect(secret(variables.map((variable) => variable.name))).toEqual(installed.toSorted());
  });

  it('are the same under npm start', () => {
    const environment = environmentOf(name, around, { operations: 9100, public: 8080 });
    expect(secret(Object.keys(environment))).toEqual(needed.toSorted());
  });
});
