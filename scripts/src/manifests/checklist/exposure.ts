import { containers, field, of, one } from '../lookup.js';
import type { Rules } from './rule.js';

/** Who reaches whom, how strangers come in, and what must not be seen. */
export const exposure: Rules = {
  'nothing talks without an edge that allows it': (manifests) => {
    const denied = of(manifests, 'NetworkPolicy').find((m) => m.metadata.name === 'default-deny');
    return String(field(denied, 'spec', 'policyTypes')) === 'Ingress,Egress' &&
      Object.keys(field<object>(denied, 'spec', 'podSelector') ?? { missing: true }).length === 0
      ? []
      : ['default-deny'];
  },
  'secrets come by reference, and stand in no ConfigMap': (manifests) => [
    ...containers(manifests).flatMap((c) =>
      (field<{ name: string; value?: string }[] | undefined>(c, 'env') ?? [])
        .filter(
          (variable) =>
            /PASSWORD|SECRET|DATABASE_URL|REDIS_URL|SMTP_URL/.test(variable.name) &&
            variable.value !== undefined,
        )
        .map((variable) => `${c.name}/${variable.name}`),
    ),
    ...of(manifests, 'ConfigMap')
      .filter((m) =>
        Object.entries(field<Record<string, string> | undefined>(m, 'data') ?? {}).some(
          ([name, value]) => /PASSWORD|SECRET/.test(name) || /:\/\/[^/"]+:[^/"]+@|^user .* >/m.test(value),
        ),
      )
      .map((m) => m.metadata.name),
  ],
  'whatever comes in from outside comes by TLS, in a bounded body, from one known proxy': (manifests) => {
    const gateway = one(manifests, 'Service', 'gateway');
    const inside = field(gateway, 'spec', 'type') === 'ClusterIP' ? [] : ['gateway'];
    const settings = field<Record<string, string>>(one(manifests, 'ConfigMap', 'meetmark'), 'data');
    const outside = of(manifests, 'Ingress').filter((ingress) => {
      const annotations = field<Record<string, string>>(ingress, 'metadata', 'annotations') ?? {};
      const nginx = (name: string) => annotations[`nginx.ingress.kubernetes.io/${name}`] ?? '';
      const hosts = field<{ host: string }[]>(ingress, 'spec', 'rules').map(({ host }) => host);
      const encrypted = field<{ hosts: string[] }[] | undefined>(ingress, 'spec', 'tls') ?? [];
      return !(
        Number(/^(\d+)m$/.exec(nginx('proxy-body-size'))?.[1]) <= 8 &&
        nginx('force-ssl-redirect') === 'true' &&
        // Controllers refuse an Ingress with a snippet unless somebody has allowed them.
        !Object.keys(annotations).some((name) => name.endsWith('-snippet')) &&
        hosts.every((host) => encrypted.some((tls) => tls.hosts.includes(host))) &&
        // The gateway sends HSTS to a site that is https.
        settings['PUBLIC_URL']?.startsWith('https://') === true &&
        settings['TRUSTED_PROXIES'] === '1'
      );
    });
    return [...inside, ...outside.map((ingress) => ingress.metadata.name)];
  },
};
