import { lists } from './lists.js';
import { registrations } from './registrations.js';
import { transport } from './transport.js';

/** `npm run bench -- registrations`; without a name all of them. */
const BENCHES: Record<string, () => Promise<void>> = { registrations, lists, transport };

const asked = process.argv.slice(2);
for (const name of asked.length > 0 ? asked : Object.keys(BENCHES)) {
  const bench = BENCHES[name];
  if (!bench) throw new Error(`there is no bench '${name}': ${Object.keys(BENCHES).join(', ')}`);
  await bench();
}
