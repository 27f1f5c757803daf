import { observePool, registry } from '@meetmark/platform/operations/metrics';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { parse } from 'yaml';
import { readText } from './manifest.js';

const rules = (
  parse(readText('k8s/monitoring/alerts.yaml')) as { groups: { rules: { alert: string; expr: string }[] }[] }
).groups.flatMap((group) => group.rules);
const guide = readText('docs/operations.md');

describe('the alerts', () => {
  it('use only existing metrics', async () => {
    observePool({ totalCount: 0, idleCount: 0, waitingCount: 0 });
    const defaults = new Registry();
    collectDefaultMetrics({ register: defaults });
    // Reads metric names from the source text, because importing these files would start a process.
    const sources = [
      ...['gateway/src/http/request.ts', 'gateway/src/media/decoder.ts'],
      'services/worker/src/queue/metrics.ts',
    ];
    const own = sources.flatMap((file) => [...readText(file).matchAll(/name: '([a-z_]+)'/g)]);
    const names = new Set([
      ...registry.getMetricsAsArray().map(({ name }) => name),
      ...defaults.getMetricsAsArray().map(({ name }) => name),
      ...own.map(([, name]) => name),
    ]);
    const asked = rules.flatMap(({ expr }) => expr.match(/\b[a-z]+(_[a-z0-9]+)+\b(?=[{[)\s])/g) ?? []);
    const functions = ['histogram_quantile', 'min_over_time'];
    const unknown = asked.filter(
      (name) =>
        !functions.includes(name) && !names.has(name.replace(/_(count|bucket|sum)$/, '')) && !names.has(name),
    );
    expect(asked.length).toBeGreaterThan(8);
    expect(unknown).toEqual([]);
    defaults.clear();
  });

  it.each(rules.map(({ alert }) => alert))('%s is explained in the operations guide', (alert) => {
    expect(guide).toContain(`\`${alert}\``);
  });
});
