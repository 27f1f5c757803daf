import { anyFreePort, identify, until } from '@meetmark/testing';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Surroundings } from '../stack/environment.js';
import { Replica } from '../stack/replica.js';
import type { Stack } from '../stack/stack.js';
import { type Development, startDevelopment } from './development.js';

const PATIENCE = 30_000;
/** In place of the compiler: what is in src/ is in dist/, as it is. */
const TRANSPILE = "import fs from 'node:fs';\nfs.cpSync('src', 'dist', { recursive: true });";
const MAKE_TEXTS =
  "import fs from 'node:fs';\nfs.writeFileSync('dist/texts.js', `export const text = ${fs.readFileSync('texts/en.json')};`);";
/** Passes everything on to the gateway. */
const VITE = `require('node:http').createServer((_, answer) =>
  fetch(process.env.GATEWAY_URL).then((response) => response.text()).then((text) => answer.end(text), (error) => answer.writeHead(500).end(String(error.cause)))
).listen(process.argv[3]);`;
/** Ready, and says what it is made of. */
const server = (imports: string) => `
  import http from 'node:http';
  ${imports}
  for (const port of [process.env.PORT, process.env.OPERATIONS_PORT])
    http.createServer((_, answer) => answer.end(said)).listen(port);`;
/** Starts only once there is the file `go`. */
const WAITING = server(`
  import fs from 'node:fs';
  while (!fs.existsSync('go')) await new Promise((later) => setTimeout(later, 20));
  const said = 'changed';`);
const LIBRARIES = `
  import { sentence } from '../../libs/contracts/dist/errors.js';
  import { text } from '../../libs/contracts/dist/texts.js';
  const said = sentence + ', ' + text;`;

const isRunning = (pid: number) => identify(pid) !== null;

describe('npm run dev', () => {
  let root: string;
  let gateway: Replica;
  let development: Development | undefined;
  let url: string;
  const notes: string[] = [];
  const pids: number[] = [];
  const note = (message: string) => notes.push(message);
  const write = (file: string, content: string) => {
    fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    fs.writeFileSync(path.join(root, file), content);
  };
  /** As many editors do, and Git. */
  const replace = (file: string, content: string) => {
    write(`${file}~`, content);
    fs.renameSync(path.join(root, `${file}~`), path.join(root, file));
  };
  const ask = async () => (await fetch(url)).text();
  const answers = (said: string) =>
    until(
      `'${said}'`,
      PATIENCE,
      async () => (await ask()) === said,
      () => notes.find((each) => !each.endsWith('restarted')) ?? null,
    );

  beforeEach(async () => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'meetmark-development-'));
    for (const folder of [
      'libs/platform',
      'services/auth',
      'services/events',
      'services/admin',
      'services/worker',
    ])
      write(`${folder}/src/index.js`, '');
    write('package.json', JSON.stringify({ type: 'module' }));
    write('scripts/transpile.mjs', TRANSPILE);
    write('node_modules/vite/bin/vite.js', VITE);
    write('node_modules/vite/package.json', '{}');
    write('web/package.json', '{}');
    write('libs/contracts/src/errors.js', "export const sentence = 'Not found';");
    write('libs/contracts/texts/en.json', '"Go"');
    write('libs/contracts/dist/errors.js', "export const sentence = 'Not found';");
    write('libs/contracts/dist/texts.js', "export const text = 'Go';");
    write('libs/contracts/dist/make-texts.js', MAKE_TEXTS);
    write('gateway/src/main.js', server(LIBRARIES));
    write('gateway/dist/main.js', server(LIBRARIES));
    write('gateway/dist/process/main.js', server("const said = 'as it was bundled';"));
    notes.length = 0;
    pids.length = 0;
    gateway = new Replica('gateway', 0, {
      around: {
        root,
        databaseUrl: 'postgres://x',
        redisUrl: 'redis://x',
        publicUrl: 'http://localhost',
        host: 'localhost',
        inherited: {},
        secrets: { databasePasswords: {}, redisPasswords: {}, identityKeys: {}, messages: {} },
      } as unknown as Surroundings,
      logDirectory: path.join(root, 'logs'),
      ports: { operations: await anyFreePort(), public: await anyFreePort() },
      isBundled: false,
      note,
      onSpawn: (_, pid) => pids.push(pid),
    });
    await gateway.process.start();
    const port = await anyFreePort();
    url = `http://127.0.0.1:${port}`;
    development = await startDevelopment({
      root,
      directory: root,
      port,
      listenAt: '127.0.0.1',
      url,
      stack: {
        replicas: [gateway],
        get gatewayUrls() {
          return [gateway.publicUrl];
        },
      } as unknown as Stack,
      note,
      onSpawn: () => undefined,
    });
  });
  afterEach(async () => {
    await development?.stop();
    await gateway.stop();
    fs.rmSync(root, { recursive: true });
  });

  it.each([
    ['a service', 'gateway/src/main.js', server("const said = 'changed';"), 'changed'],
    ['the contracts', 'libs/contracts/src/errors.js', "export const sentence = 'Gone';", 'Gone, Go'],
    ['the texts', 'libs/contracts/texts/en.json', '"Leave"', 'Not found, Leave'],
  ])('answers as it is in %s once a file is saved', async (_, file, content, said) => {
    await answers('Not found, Go');
    write(file, content);
    await answers(said);
  });

  it('notices each save of a file that is replaced, and what is in a new folder', async () => {
    for (const said of ['one', 'two', 'three']) {
      replace('gateway/src/main.js', server(`const said = '${said}';`));
      await answers(said);
    }
    write('gateway/src/room/words.js', "export const said = 'four';");
    replace('gateway/src/main.js', server("import { said } from './room/words.js';"));
    await answers('four');
    replace('gateway/src/room/words.js', "export const said = 'five';");
    await answers('five');
  });

  it('lets the old process answer until the new one is ready, and ends it then', async () => {
    await answers('Not found, Go');
    write('gateway/src/main.js', WAITING);
    await until('a second process', PATIENCE, async () => pids.length === 2);
    expect(await ask()).toBe('Not found, Go');
    write('go', '');
    await answers('changed');
    await until('the end of the first', PATIENCE, async () => !isRunning(pids[0]!));
  });

  it('lets the old process answer when the new one fails to start, says so, and tries again at the next save', async () => {
    write('gateway/src/main.js', 'const = 1;');
    await until('a note that says so', PATIENCE, async () =>
      notes.some((each) => each.startsWith('the old process still serves: gateway ended while starting')),
    );
    expect(await ask()).toBe('Not found, Go');
    write('gateway/src/main.js', server("const said = 'mended';"));
    await until("'mended'", PATIENCE, async () => (await ask()) === 'mended');
  });

  it('ends with both processes of one that is being replaced', async () => {
    write('gateway/src/main.js', WAITING);
    await until('a second process', PATIENCE, async () => pids.length === 2);
    await gateway.stop();
    expect(pids.map(isRunning)).toEqual([false, false]);
  });
});
