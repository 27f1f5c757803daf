import { anyFreePort, until } from '@meetmark/testing';
import fs from 'node:fs';
import type { Surroundings } from '../stack/environment.js';
import { type Replica, createReplica } from '../stack/replica.js';
import { directoryForEachTest } from '../testing/test-directory.js';
import { type Development, startDevelopment } from './development.js';

const TRANSPILE = "import fs from 'node:fs';\nfs.cpSync('src', 'dist', { recursive: true });";
const MAKE_TEXTS =
  "import fs from 'node:fs';\nfs.writeFileSync('dist/texts.js', `export const text = ${fs.readFileSync('texts/en.json')};`);";
const VITE = "require('node:http').createServer((_, answer) => answer.end()).listen(process.argv[3]);";
const server = (imports: string) => `
  import http from 'node:http';
  ${imports}
  for (const port of [process.env.PORT, process.env.OPERATIONS_PORT])
    http.createServer((_, answer) => answer.end(said)).listen(port);
  process.once('SIGTERM', () => process.exit());`;
const LIBRARIES = `
  import { sentence } from '../../libs/contracts/dist/errors.js';
  import { text } from '../../libs/i18n/dist/texts.js';
  const said = sentence + ', ' + text;`;

describe('npm run dev', () => {
  const directory = directoryForEachTest();
  const { at, write } = directory;
  let gateway: Replica;
  let development: Development | undefined;
  const notes: string[] = [];
  const note = (message: string) => notes.push(message);
  const replace = (file: string, content: string) => {
    write(`${file}~`, content);
    fs.renameSync(at(`${file}~`), at(file));
  };
  const ask = () => fetch(gateway.publicUrl!).then((answer) => answer.text(), String);
  const answers = (said: string) => until(`'${said}'`, 60_000, async () => (await ask()) === said);

  beforeEach(async () => {
    const { root } = directory;
    for (const folder of ['platform', 'auth', 'events', 'admin', 'worker'])
      write(`${folder === 'platform' ? 'libs' : 'services'}/${folder}/src/index.js`, '');
    write('package.json', JSON.stringify({ type: 'module' }));
    write('scripts/transpile.mjs', TRANSPILE);
    write('node_modules/vite/bin/vite.js', VITE);
    write('node_modules/vite/package.json', '{}');
    write('web/package.json', '{}');
    write('libs/i18n/src/index.js', '');
    write('libs/i18n/texts/en.json', '"Go"');
    for (const folder of ['src', 'dist'])
      write(`libs/contracts/${folder}/errors.js`, "export const sentence = 'Not found';");
    write('libs/i18n/dist/texts.js', "export const text = 'Go';");
    write('libs/i18n/dist/make-texts.js', MAKE_TEXTS);
    for (const folder of ['src', 'dist']) write(`gateway/${folder}/main.js`, server(LIBRARIES));
    notes.length = 0;
    const secrets = { databasePasswords: {}, redisPasswords: {}, identityKeys: {} };
    gateway = createReplica('gateway', 0, {
      around: {
        ...{ root, databaseUrl: 'postgres://x', redisUrl: 'redis://x', publicUrl: 'http://localhost' },
        ...{ host: 'localhost', inherited: {}, secrets },
      } as unknown as Surroundings,
      logDirectory: at('logs'),
      ports: { operations: await anyFreePort(), public: await anyFreePort() },
      isBundled: false,
      note,
      onSpawn: () => undefined,
    });
    await gateway.process.start();
    const port = await anyFreePort();
    development = await startDevelopment({
      ...{ root, directory: root, port, listenAt: '127.0.0.1', url: `http://127.0.0.1:${port}` },
      stack: { replicas: [gateway], gatewayUrls: [gateway.publicUrl!] },
      note,
      onSpawn: () => undefined,
    });
    await answers('Not found, Go');
  });
  afterEach(async () => {
    await development?.stop();
    await gateway.process.stop();
  });

  it.each([
    ['a service', 'gateway/src/main.js', server("const said = 'changed';"), 'changed'],
    ['the contracts', 'libs/contracts/src/errors.js', "export const sentence = 'Gone';", 'Gone, Go'],
    ['the texts', 'libs/i18n/texts/en.json', '"Leave"', 'Not found, Leave'],
  ])('restarts the server after a change of %s', async (_, file, content, said) => {
    write(file, content);
    await answers(said);
  });

  it('restarts the server each time a file is replaced, even in a new folder', async () => {
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

  it('reports that a server fails to start, and restarts it after the next save', async () => {
    write('gateway/src/main.js', 'const = 1;');
    await until('a note', 60_000, async () =>
      notes.some((each) => each.startsWith('gateway: gateway ended while starting')),
    );
    write('gateway/src/main.js', server("const said = 'mended';"));
    await answers('mended');
  });
});
