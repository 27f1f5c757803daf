import { linted } from './linted.js';

const RULE = 'local(effect-returns-on-purpose)';
const PATH = 'web/src/x.tsx';
const IN_REF = 'export const X = () => <p ref={(element) => element?.scrollIntoView()} />;';
const OTHER_CALL = 'act(() => act(), []);';

const NEVER: [what: string, line: string][] = [
  ['the value of a call', 'useEffect(() => window.scrollTo(0, 0), [path]);'],
  ['the value of a call in the namespace', 'React.useEffect(() => act(), [path]);'],
  ['the value of a call before the paint', 'useLayoutEffect(() => act(path), [path]);'],
  ['whatever another function returns', 'useEffect(act, [path]);'],
  ['a promise', 'useEffect(async () => { await act(); }, [path]);'],
  ['the value of a call in a block', 'useEffect(() => { if (path) return act(); }, [path]);'],
  ['a clean-up that is not written there', 'useEffect(() => { return watch(path); }, [path]);'],
];

const MAY_BE: [what: string, line: string][] = [
  ['nothing', 'useEffect(() => { window.scrollTo(0, 0); }, [path]);'],
  ['nothing at an early return', 'useEffect(() => { if (!path) return; act(); }, [path]);'],
  ['undefined', 'useEffect(() => { if (!path) return undefined; return () => act(); }, [path]);'],
  ['a function', 'useEffect(() => { const stop = watch(path); return () => stop(); }, [path]);'],
  ['a function without a block', 'useEffect(() => () => act(), [path]);'],
  [
    'nothing, whatever functions inside return',
    'useEffect(() => { const value = () => act(); value(); [path].map(function (one) { return act(one); }); }, [path]);',
  ],
];

const inComponent = (line: string) =>
  `export function X({ path }: { path: string }) { ${line} return null; }`;

describe('What an effect returns', () => {
  const ofComponents = [...NEVER, ...MAY_BE].map(([, line]) => inComponent(line));
  const answer = linted([...ofComponents, IN_REF, OTHER_CALL].map((code) => [PATH, code] as const));
  const rulesBrokenBy = (code: string) => answer(PATH, code).filter((rule) => rule.startsWith('local'));

  it.each(NEVER)('is never %s', (_what, line) => {
    expect(rulesBrokenBy(inComponent(line))).toContain(RULE);
  });

  it('is never the value of a call in a ref callback', () => {
    expect(rulesBrokenBy(IN_REF)).toEqual([RULE]);
  });

  it.each(MAY_BE)('may be %s', (_what, line) => {
    expect(rulesBrokenBy(inComponent(line))).toEqual([]);
  });

  it('is not asked of other calls', () => {
    expect(rulesBrokenBy(OTHER_CALL)).toEqual([]);
  });
});
