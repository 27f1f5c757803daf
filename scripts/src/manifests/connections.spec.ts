import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { SCALE } from '../containers/scaling.js';
import { connectionsNeeded } from '../stack/connections.js';
import { PROCESSES, type Replicas } from '../stack/processes.js';

interface ComposeFile {
  services: Record<string, { command?: string[]; environment?: Record<string, string> }>;
}

const file = path.resolve(import.meta.dirname, '../../../docker-compose.yml');
const { services } = parse(readFileSync(file, 'utf8'), { merge: true }) as ComposeFile;
/** `${NAME:-value}` is the value unless somebody says otherwise. */
const pool = (name: string) =>
  Number(/:-(\d+)\}/.exec(services[name]?.environment?.['DATABASE_POOL_SIZE'] ?? '')?.[1]);
const needed = (scale: Replicas) =>
  connectionsNeeded(PROCESSES.map((name) => ({ name, replicas: scale[name], pool: pool(name) })));

describe('the connections of docker-compose.yml', () => {
  const limit = Number(/max_connections=(\d+)/.exec(services['postgres']?.command?.join(' ') ?? '')?.[1]);

  it('suffice for every process at the scale that is documented and tested, with some to spare', () => {
    expect(limit - needed(SCALE)).toBeGreaterThanOrEqual(5);
  });

  it('are as many as operators read', () => {
    const page = readFileSync(path.resolve(file, '../docs/operations.md'), 'utf8');
    expect(/In Compose.*? need (\d+ of \d+)/.exec(page)?.[1]).toBe(`${needed(SCALE)} of ${limit}`);
  });

  it('would not suffice for two more of each service', () => {
    expect(needed({ ...SCALE, auth: SCALE.auth + 2, events: SCALE.events + 2 })).toBeGreaterThan(limit);
  });
});
