import path from 'node:path';
import { parseManifests } from '../manifests/manifest.js';
import { strictProblems } from '../manifests/strict.js';
import { expectEqual, type Checks } from './checks.js';
import { output } from './compose.js';

export async function checkManifests(checks: Checks, root: string): Promise<void> {
  for (const overlay of ['local', 'production'])
    await checks.check(`kubectl renders ${overlay} to objects that the Kubernetes API accepts`, async () => {
      const folder = path.join(root, 'k8s/overlays', overlay);
      const manifests = parseManifests(await output('kubectl', ['kustomize', folder]));
      expectEqual(strictProblems(manifests), [], 'problems');
      return `${manifests.length} objects`;
    });
}
