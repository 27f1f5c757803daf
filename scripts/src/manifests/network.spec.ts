import path from 'node:path';
import { field, one, OWN, workloads } from './lookup.js';
import { incoming, outgoing } from './network.js';
import { render, type Manifest } from './render.js';

const local = render(path.resolve(import.meta.dirname, '../../../k8s/overlays/local'));
const withRule = (policy: string, direction: string, rule: object): Manifest[] => {
  const changed = structuredClone(local);
  field<object[]>(one(changed, 'NetworkPolicy', policy), 'spec', direction).push(rule);
  return changed;
};

// Only as data: whether a cluster's network enforces it, a pod in that cluster has to try (docs/operations.md).
describe('the NetworkPolicies', () => {
  it('let each process reach its servers, the worker the mail server, and everybody the names', () => {
    expect(outgoing(local)).toEqual(
      [
        ...[...OWN, 'migrate'].map((name) => `${name}->postgres:5432`),
        ...OWN.map((name) => `${name}->redis:6379`),
        'worker->mail:1025',
        ...workloads(local).map(({ metadata }) => `${metadata.name}->kube-system:53`),
      ].toSorted(),
    );
  });

  it('let each pod be reached by those who need it', () => {
    expect(incoming(local)).toEqual(
      [
        'ingress-nginx->gateway:8080',
        ...OWN.map((name) => `monitoring->${name}:9090`),
        'meetmark/database->postgres:5432',
        'meetmark/redis->redis:6379',
        'worker->mail:1025',
      ].toSorted(),
    );
  });

  it('are seen to allow too much when one does', () => {
    const toAuth = { podSelector: { matchLabels: { 'app.kubernetes.io/name': 'auth' } } };
    const outside = withRule('worker-to-mail', 'egress', { to: [toAuth], ports: [{ port: 9090 }] });
    expect(outgoing(outside)).toContain('worker->auth:9090');
    const open = withRule('redis', 'ingress', { ports: [{ port: 6379 }] });
    expect(incoming(open)).toContain('anybody->redis:6379');
  });
});
