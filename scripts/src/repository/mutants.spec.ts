import { fileURLToPath } from 'node:url';

interface Fault {
  file: string;
}
const { FAULTS } = (await import(String(new URL('../../mutants/faults.mjs', import.meta.url)))) as {
  FAULTS: Fault[];
};
const { refuseMoved } = (await import(String(new URL('../../mutants/try-faults.mjs', import.meta.url)))) as {
  refuseMoved: (folder: string, faults: Fault[]) => void;
};

it('each fault of npm run mutants still fits exactly one line of code', () => {
  expect(FAULTS.length).toBeGreaterThan(0);
  expect(() => refuseMoved(fileURLToPath(new URL('../../..', import.meta.url)), FAULTS)).not.toThrow();
});
