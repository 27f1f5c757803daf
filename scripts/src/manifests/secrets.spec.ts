import { getContainer, field, OWN, readCompose, readManifests } from './manifest.js';

const { services } = readCompose();
const manifests = readManifests('base');
/** Returns the names of variables that contain secrets, sorted. */
const secret = (names: string[]) =>
  names.filter((name) => /_SECRETS$|_KEY$|PASSWORD$|(DATABASE|REDIS|SMTP)_URL$/.test(name)).toSorted();

/** Secrets that each process needs. A compromised process must not know any others. */
const NEEDED = {
  gateway: ['IDENTITY_PRIVATE_KEY', 'LINK_SECRETS', 'RPC_SECRETS', 'SESSION_SECRETS'],
  auth: ['ADMIN_PASSWORD', 'RPC_SECRETS', 'RESET_CODE_SECRETS', 'SECOND_FACTOR_SECRETS'],
  events: ['RPC_SECRETS', 'GUEST_CODE_SECRETS'],
  admin: ['RPC_SECRETS'],
  worker: ['LINK_SECRETS', 'RESET_CODE_SECRETS', 'GUEST_CODE_SECRETS', 'SMTP_URL'],
};

describe.each(OWN)('%s', (name) => {
  const needed = ['DATABASE_URL', 'REDIS_URL', ...NEEDED[name]].toSorted();

  it('receives exactly its required secrets from Compose', () => {
    expect(secret(Object.keys(services[name]?.environment ?? {}))).toEqual(needed);
  });

  it('receives exactly its required secrets from Kubernetes', () => {
    const variables = field<{ name: string }[]>(getContainer(manifests, name), 'env');
    expect(secret(variables.map((variable) => variable.name))).toEqual(needed);
  });
});
