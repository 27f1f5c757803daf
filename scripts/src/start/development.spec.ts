import { anyFreePort, until } from '@meetmark/testing';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Surroundings } from '../stack/environment.js';
import { makeReplica, type Replica } from '../stack/replica.js';
import type { Stack } from '../stack/stack.js';
import { type Development, startDevelopment } from './development.js';

const PATIENCE = 30_000;
/** In place of the compiler: what is in src/ is in dist/, as it is. */
const TRANSPILE = "import fs from 'node:fs';\nfs.cpSync('src', 'dist', { recursive: true });";
const MAKE_TEXTS =
  "import fs from 'node:fs';\nfs.writeFileSync('dist/texts.js', `export const text = ${fs.readFileSync('texts/en.json')};`);";
const VITE = "require('node:http').createServer((_, answer) => answer.end()).listen(process.argv[3]);";
/** Ready, and says what it is made of. */
const server = (imports: string) => `
  import http from 'node:http';
  ${imports}
  http.createServer((_, answer) => answer.end(said)).listen(process.env.OPERATIONS_PORT);`;
const LIBRARIES = `
  import { sentence } from '../../libs/contracts/dist/errors.js';
  import { text } from '../../libs/contracts/dist/texts.js';
  const said = sentence + ', ' + text;`;

describe('npm run dev', () => {
  let root: string;
  let gateway: Replica;
  let development: Development | undefined;
  const notes: string[] = [];
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
  const answers = (said: string) =>
    until(
      `'${said}'`,
      PATIENCE,
      async () => (await (await fetch(gateway.operationsUrl)).text()) === said,
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
    gateway = makeReplica('gateway', 0, {
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
      onSpawn: () => undefined,
    });
    await gateway.process.start();
    const port = await anyFreePort();
    development = await startDevelopment({
      root,
      directory: root,
      port,
      listenAt: '127.0.0.1',
      url: `http://127.0.0.1:${port}`,
      stack: { replicas: [gateway], gatewayUrls: [gateway.publicUrl] } as unknown as Stack,
      note,
      onSpawn: () => undefined,
    });
  });
  afterEach(async () => {
    await development?.stop();
    await gateway.process.stop();
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
});
