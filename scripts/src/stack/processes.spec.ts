import { parseReplicas } from './processes.js';

describe('REPLICAS', () => {
  it('defaults to one replica per process', () => {
    const one = { auth: 1, events: 1, admin: 1, worker: 1, gateway: 1 };
    expect(parseReplicas(undefined)).toEqual(one);
    expect(parseReplicas('')).toEqual(one);
  });

  it('sets the replicas of the named processes', () => {
    expect(parseReplicas('auth=2, events=3')).toMatchObject({ auth: 2, events: 3, gateway: 1 });
  });

  it.each(['auth', 'auth=x', 'auth=0', 'auth=21', 'mail=2', 'auth=2;events=3'])(
    'refuses %s with an example',
    (text) => {
      expect(() => parseReplicas(text)).toThrow(
        /REPLICAS: '.*' is not one of auth, .* for example REPLICAS=auth=2,events=3/,
      );
    },
  );
});
