import { ESLint } from 'eslint';
import { fileURLToPath } from 'node:url';
import typescript from 'typescript-eslint';

const root = fileURLToPath(new URL('../..', import.meta.url));
const rule = 'local/effect-returns-on-purpose';

describe('What an effect returns', () => {
  // texts that are in no file have no types
  const eslint = new ESLint({ cwd: root, overrideConfig: typescript.configs.disableTypeChecked });
  const rulesBrokenBy = async (code: string) => {
    const [result] = await eslint.lintText(code, { filePath: `${root}/web/src/x.tsx` });
    return result?.messages.map(({ ruleId }) => ruleId);
  };
  const inComponent = (line: string) =>
    `export function X({ path }: { path: string }) { ${line} return null; }`;

  it.each([
    ['the value of a call', 'useEffect(() => window.scrollTo(0, 0), [path]);'],
    ['the value of a call in the namespace', 'React.useEffect(() => act(), [path]);'],
    ['the value of a call before the paint', 'useLayoutEffect(() => act(path), [path]);'],
    ['whatever another function returns', 'useEffect(act, [path]);'],
    ['a promise', 'useEffect(async () => { await act(); }, [path]);'],
    ['the value of a call in a block', 'useEffect(() => { if (path) return act(); }, [path]);'],
    ['a clean-up that is not written there', 'useEffect(() => { return watch(path); }, [path]);'],
  ])('is never %s', async (_what, line) => {
    expect(await rulesBrokenBy(inComponent(line))).toContain(rule);
  });

  it('is never the value of a call in a ref callback', async () => {
    const code = 'export const X = () => <p ref={(element) => element?.scrollIntoView()} />;';
    expect(await rulesBrokenBy(code)).toEqual([rule]);
  });

  it.each([
    ['nothing', 'useEffect(() => { window.scrollTo(0, 0); }, [path]);'],
    ['nothing at an early return', 'useEffect(() => { if (!path) return; act(); }, [path]);'],
    ['undefined', 'useEffect(() => { if (!path) return undefined; return () => act(); }, [path]);'],
    ['a function', 'useEffect(() => { const stop = watch(path); return () => stop(); }, [path]);'],
    ['a function without a block', 'useEffect(() => () => act(), [path]);'],
    [
      'nothing, whatever functions inside return',
      'useEffect(() => { const value = () => act(); value(); [path].map(function (one) { return act(one); }); }, [path]);',
    ],
  ])('may be %s', async (_what, line) => {
    expect(await rulesBrokenBy(inComponent(line))).toEqual([]);
  });

  it('is not asked of other calls', async () => {
    expect(await rulesBrokenBy('act(() => act(), []);')).toEqual([]);
  });
});
