import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

interface Verdict {
  outcome: string;
  said: string;
}
interface Ran {
  report: { testResults: { name: string; message: string; assertionResults: object[] }[] } | null;
  said: string;
}
type Judge<V> = (ran: Ran, fault: { spec: string; test: string }, folder: string) => V;

interface Fault {
  file: string;
  from: string;
  to: string;
  spec: string;
  test: string;
}
interface Copy {
  folder: string;
}

const { makeCopies, refuseMoved, runTests, verdictOf, withoutFault } = (await import(
  String(new URL('../mutants/try-faults.mjs', import.meta.url))
)) as {
  makeCopies: (root: string, count: number, directory: string, runId: string) => Copy[];
  refuseMoved: (folder: string, faults: Fault[]) => void;
  runTests: (copy: Copy, faults: Fault[], args: string[], deadlineMs: number) => Promise<Ran>;
  verdictOf: Judge<Verdict>;
  withoutFault: Judge<Verdict | null>;
};
const { FAULTS } = (await import(String(new URL('../mutants/faults.mjs', import.meta.url)))) as {
  FAULTS: Fault[];
};
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const FAULT = { spec: 'gateway/src/x.spec.ts', test: 'is refused' };
/** What Jest reports of the spec in a copy. */
const ran = (tests: Record<string, string>, { message = '', spec = FAULT.spec } = {}): Ran => ({
  report: {
    testResults: [
      {
        name: `/copy/${spec}`,
        message,
        assertionResults: Object.entries(tests).map(([fullName, status]) => ({
          fullName,
          status,
          failureMessages: status === 'failed' ? ['Error: expect(received)'] : [],
        })),
      },
    ],
  },
  said: 'what Jest said',
});
const verdict = (of: Ran) => verdictOf(of, FAULT, '/copy').outcome;

describe('a fault', () => {
  it('changes one place of the product as it is now', () => {
    expect(FAULTS).toHaveLength(40);
    expect(() => refuseMoved(ROOT, FAULTS)).not.toThrow();
    expect(() => refuseMoved(ROOT, [{ ...FAULTS[0]!, from: 'what nothing says' }])).toThrow(FAULTS[0]!.file);
  });

  it('is caught by its own test alone', () => {
    expect(verdict(ran({ 'a key is refused': 'failed', 'a key is taken': 'pending' }))).toBe('caught');
    expect(verdict(ran({ 'a key is refused': 'passed', 'a key is taken': 'failed' }))).toBe('NOT caught');
    expect(verdict(ran({ 'a key is refused': 'passed', 'a lock is refused': 'failed' }))).toBe('caught');
  });

  it('is not caught by a test that did not run', () => {
    expect(verdict(ran({ 'a key is refused': 'pending' }))).toBe('test not found');
    expect(verdict(ran({ 'a key is taken': 'failed' }))).toBe('test not found');
    expect(verdict(ran({ 'a key is refused': 'failed' }, { spec: 'gateway/src/y.spec.ts' }))).toBe('error');
  });

  it('is not caught by a spec that could not be loaded, nor by servers that did not start', () => {
    const broken = verdictOf(ran({}, { message: 'SyntaxError' }), FAULT, '/copy');
    expect(broken).toEqual({ outcome: 'error', said: 'SyntaxError' });
    expect(verdictOf({ report: null, said: 'Killed' }, FAULT, '/copy')).toEqual({
      outcome: 'error',
      said: 'Killed',
    });
    const without = ran({ 'a key is refused': 'failed' });
    const [test] = without.report!.testResults[0]!.assertionResults;
    Object.assign(test!, { failureMessages: ['Error: The test servers did not start: syntax error'] });
    expect(verdict(without)).toBe('error');
  });

  it('is tried where its test passes without it', () => {
    const before = (of: Ran) => withoutFault(of, FAULT, '/copy')?.outcome;
    expect(before(ran({ 'a key is refused': 'passed' }))).toBeUndefined();
    expect(before(ran({ 'a key is refused': 'failed' }))).toBe('error');
    expect(before(ran({ 'a key is taken': 'passed' }))).toBe('test not found');
  });

  it('is tried in a copy of the project in which its test can be loaded', async () => {
    const fault = FAULTS.find(({ spec }) => spec === 'libs/platform/src/text/markdown.spec.ts')!;
    const directory = mkdtempSync(path.join(tmpdir(), 'meetmark-mutants-'));
    try {
      const [copy] = makeCopies(ROOT, 1, directory, randomUUID());
      expect(withoutFault(await runTests(copy!, [fault], [], 100_000), fault, copy!.folder)).toBeNull();
    } finally {
      rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
    }
  });
});
