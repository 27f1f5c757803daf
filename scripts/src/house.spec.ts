import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const HOUSE = new URL('../house.mjs', import.meta.url).href;

interface Compared {
  worse: string[];
  better: string[];
}

/** In a process of its own: the script is no module that Jest loads. */
function inHouse<Result>(expression: string): Result {
  const program = `const { compare, measure } = await import(${JSON.stringify(HOUSE)}); console.log(JSON.stringify(${expression}))`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Result;
}

describe('npm run house -- --check', () => {
  it('names what got worse, what got better, and what is kept without a reason or is not measured', () => {
    const compared = (name: string, most: number, because: string, now: string) =>
      `compare({ ${name}: { most: ${most}, because: '${because}' } }, [['splinters', '', '${now}']])`;
    const [worse, same, better, unexplained, unknown] = inHouse<Compared[]>(
      `[${[
        compared('splinters', 3, 'as found', '4'),
        compared('splinters', 4, 'as found', '4'),
        compared('splinters', 4.9, 'as found', '4.8'),
        compared('splinters', 4, '', '4'),
        compared('gone', 1, 'as found', '4'),
      ].join(', ')}]`,
    );
    expect(worse!.worse).toEqual([expect.stringContaining('splinters is 4 and was 3')]);
    expect(same).toMatchObject({ worse: [], better: [] });
    expect(better).toMatchObject({ worse: [], better: ['splinters is 4.8 and was 4.9.'] });
    expect(unexplained!.worse).toEqual([expect.stringContaining('does not say why')]);
    expect(unknown!.worse).toEqual(['gone is no row of npm run house.']);
  });

  it('sees a ring of folders, a long function, a query away from home and a vague word', () => {
    const files = {
      'services/auth/src/a/one.ts': "import { two } from '../b/two.js';\nexport const one = () => two;\n",
      'services/auth/src/b/two.ts':
        "import { one } from '../a/one.js';\n/** Whoever asks. */\nexport function two() {\n  db.query('SELECT 1');\n  return one;\n}\n",
      'services/auth/src/c/three.ts': "import type { one } from '../a/one.js';\n",
      'services/auth/src/a/four.ts': "import type { Three } from '../c/three.js';\n",
    };
    const rows = inHouse<[string, string, string][]>(
      `measure(new Map(Object.entries(${JSON.stringify(files)})))`,
    );
    const row = (name: string) => rows.find(([each]) => each === name)?.[2];
    expect(['circles', 'longest', 'queries', 'words'].map(row)).toEqual(['2', '4', '1', '1']);
  });
});
