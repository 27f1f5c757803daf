// npm run house -- [path or git ref]... [--list row]: measures the repository, one column for each given, the working tree last.
// Every row has its rule beside it; `--list row` prints the files or lines that a row counts. `--check`, which npm test does, fails
// where a row of house.json got worse, `--update` writes down there what got better. Whoever raises a figure there says why.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript-api';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SKIPPED = /(^|\/)(node_modules|dist|\.git|\.nx|\.local)$/;
const CODE = /\.(ts|tsx|mjs|cjs|js|css)$/;
const TEST = /\.spec\.tsx?$|\/testing\//;
const PRODUCT = /^(gateway|services\/\w+|libs\/(contracts|platform)|web)\//;
const MIGRATION = /\/migrations\//;
const SMALL = 45;

/** Folders that serve any application; the rest of the server is this one. Migrations count as neither. */
const MACHINERY = [
  /^libs\/platform\//,
  /^gateway\/src\/(?!(api|community|pictures|site|auth|users|events|registrations|calendars|media|admin|profile|door|guests|topics)\/)/,
  /^services\/worker\/src\/(?!(jobs|activity|housekeeping|mail|auth|events|admin)\/)/,
  /^services\/events\/src\/(public-cache\.ts|public-cache\/|outbox\/)/,
];
/** Where one registration is taken in, handled and confirmed by mail. */
const REGISTRATION = [
  /@Post\('(events\/)?:id\/register'\)/,
  /@Handles\(Register\)/,
  /@HandlesJob\(RegistrationConfirmedMail\b/,
];
/** A number of a document that readers of the repository do not have. */
const REFERENCE = /\b[DCBTS]-?\d{1,2}\b(?!:)|\b[BCDST]\.\d{1,2}\b|reliability[ ]page/;
const ROUTE = /['"` ](\/api\/[\w/:${}.*-]*)/g;
const IMPORT =
  /^\s*(import|export)\s+(type\s+)?(?:(\*(?:\s+as\s+\w+)?|\w+)\s*,?\s*)?(?:\{([^}]*)\}\s*)?(?:from\s*)?['"]([^'"\n]+)['"]/gm;
/** Words of comments that name no one and nothing. */
const VAGUE = /\b(whoever|nobody|told)\b/gi;
const COMMENT = /\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$/gm;
/** Where SQL belongs: repositories, what the worker does, and what brings the database up. */
const SQL_AT_HOME = /repository\.ts$|^services\/worker\/|\/(migrations|database)\//;
const FOLDERS = { contracts: 'libs/contracts', platform: 'libs/platform', testing: 'libs/testing' };
const TOP = ['gateway', 'web', 'e2e', 'bench', 'scripts'];

/** @param {Map<string, string>} files each file's text by its path */
export function measure(files) {
  const paths = [...files.keys()];
  const code = paths.filter((file) => CODE.test(file));
  const lines = (file) => files.get(file).split('\n').length - 1;
  const sum = (some) => some.reduce((total, file) => total + lines(file), 0);
  const imports = importsOf(files, code);
  const product = code.filter((file) => PRODUCT.test(file) && !TEST.test(file));
  const server = product.filter((file) => !file.startsWith('web/') && !MIGRATION.test(file));
  const web = product.filter((file) => /^web\/.*\.tsx?$/.test(file));
  const importers = new Map();
  for (const file of product)
    for (const to of imports.get(file).direct) importers.set(to, [...(importers.get(to) ?? []), file]);
  const splinters = product.filter((file) => {
    const [importer, ...others] = importers.get(file) ?? [];
    const hasSpec = files.has(file.replace(/\.(tsx?)$/, '.spec.$1'));
    const beside = importer !== undefined && path.dirname(importer) === path.dirname(file);
    return (
      /\.tsx?$/.test(file) &&
      !/\/migrations\//.test(file) &&
      lines(file) < SMALL &&
      others.length === 0 &&
      beside &&
      !hasSpec
    );
  });
  const starts = product.filter((file) => REGISTRATION.some((start) => start.test(files.get(file))));
  const registered = code.filter(
    (file) =>
      PRODUCT.test(file) && !/contracts|migrations/.test(file) && /'registered'/.test(files.get(file)),
  );
  const routes = new Map(code.map((file) => [file, routesIn(files.get(file))]));
  const most = Math.max(0, ...[...routes.values()].map((each) => each.size));
  const lists = code.filter((file) => routes.get(file).size > 0 && routes.get(file).size > most / 2);
  const machinery = server.filter((file) => MACHINERY.some((folder) => folder.test(file)));
  const below = (folder) => code.filter((file) => file.startsWith(folder));
  const tests = code.filter(
    (file) => TEST.test(file) || file.startsWith('e2e/') || file.startsWith('libs/testing/'),
  );
  const without = (some) => some.filter((file) => !tests.includes(file));
  const size = (some) => [
    String(sum(some)),
    some.map((file) => `${String(lines(file)).padStart(5)} ${file}`),
  ];
  const references = paths
    .filter((file) => CODE.test(file) || file.endsWith('.md'))
    .flatMap((file) =>
      files
        .get(file)
        .split('\n')
        .flatMap((line) => (REFERENCE.test(line) ? [`${file}: ${line.trim()}`] : [])),
    );
  const walk = [...reach(imports, starts)];
  const circles = circlesOf(product, imports);
  const functions = product.flatMap((file) => functionsOf(file, files.get(file)));
  functions.sort((one, other) => other.lines - one.lines);
  const vague = product.flatMap((file) =>
    (files.get(file).match(COMMENT) ?? []).flatMap((comment) =>
      (comment.match(VAGUE) ?? []).map((word) => `${file}: ${word}`),
    ),
  );
  const queries = server
    .filter((file) => !SQL_AT_HOME.test(file))
    .flatMap((file) => (files.get(file).match(/\.(query|sql)[(<`]/g) ?? []).map(() => file));
  const answered = product.flatMap(
    (file) => files.get(file).match(/^\s*@(Get|Post|Put|Patch|Delete|All)\(/gm) ?? [],
  );
  const repository = registered.length > 0 ? 1 : 0;

  /** name, rule, value, what is counted */
  return [
    [
      'product lines',
      'code and styles of gateway, services, contracts, platform, web; no specs, no testing/',
      ...size(product),
    ],
    ['product files', 'the same', String(product.length), product],
    [
      'server',
      'lines a product file without web and migrations, median / mean',
      spread(server.map(lines)),
      server,
    ],
    ['web', 'the same of the TypeScript of web', spread(web.map(lines)), web],
    [
      'splinters',
      `product files below ${SMALL} lines, no spec, one importer, in the same folder`,
      String(splinters.length),
      splinters,
    ],
    [
      'registration',
      "files that register's controller, message handler and mail job import, barrels by name",
      String(walk.length),
      walk,
    ],
    [
      'registered',
      "files of product and its specs with 'registered', beyond contracts, migrations, one repository",
      String(registered.length - repository),
      registered,
    ],
    [
      'route lists',
      "files naming more than half the routes, and the controllers' decorators",
      String(lists.length + 1),
      lists,
    ],
    [
      'references',
      'lines of code and docs with the number of a document elsewhere',
      String(references.length),
      references,
    ],
    [
      'machinery',
      'share of server lines in platform and folders of gateway, worker, events that know no feature',
      `${((100 * sum(machinery)) / sum(server) || 0).toFixed(1)} %`,
      machinery,
    ],
    [
      'circles',
      'folders below src that import one another in a ring at run time',
      String(circles.flat().length),
      circles.map((ring) => ring.join(' ')),
    ],
    [
      'longest',
      'lines of the longest function of the product',
      String(functions[0]?.lines ?? 0),
      functions.slice(0, 20).map(({ lines, name }) => `${String(lines).padStart(5)} ${name}`),
    ],
    [
      'queries',
      '.query( and .sql of the server outside repositories, worker, migrations, database',
      String(queries.length),
      queries,
    ],
    ['words', "'whoever', 'nobody', 'told' in comments of the product", String(vague.length), vague],
    [
      'lines a route',
      'product lines by handlers of the API and pages',
      String(Math.round(sum(product) / answered.length) || 0),
      [`${answered.length} routes`],
    ],
    [
      'files a route',
      'the same of product files',
      (product.length / answered.length || 0).toFixed(1),
      [`${answered.length} routes`],
    ],
    ['tests', 'lines of specs, testing folders, libs/testing and e2e', ...size(tests)],
    ['scripts', 'lines of scripts without its specs', ...size(without(below('scripts/')))],
    ['bench', 'lines of bench without its specs', ...size(without(below('bench/')))],
  ];
}

function spread(sizes) {
  const sorted = sizes.toSorted((one, other) => one - other);
  const middle =
    (sorted[Math.floor((sorted.length - 1) / 2)] + sorted[Math.ceil((sorted.length - 1) / 2)]) / 2;
  return `${Math.round(middle)} / ${Math.round(sorted.reduce((total, each) => total + each, 0) / sorted.length)}`;
}

/**
 * Rings of folders, by what their files import at run time: the strongly connected parts of more than one (Tarjan). What lies directly in src
 * puts a package together, so it is left out.
 */
function circlesOf(product, imports) {
  const arrows = new Map();
  for (const file of product) {
    const from = path.dirname(file);
    for (const to of imports.get(file).atRunTime) {
      const folder = path.dirname(to);
      if (folder === from || MIGRATION.test(to) || /\/src$/.test(folder) || /\/src$/.test(from)) continue;
      arrows.set(from, (arrows.get(from) ?? new Set()).add(folder));
    }
  }
  const rings = [];
  const order = new Map();
  const lowest = new Map();
  const open = [];
  const visit = (folder) => {
    order.set(folder, order.size);
    lowest.set(folder, order.get(folder));
    open.push(folder);
    for (const next of arrows.get(folder) ?? []) {
      if (!order.has(next)) visit(next);
      if (open.includes(next)) lowest.set(folder, Math.min(lowest.get(folder), lowest.get(next)));
    }
    if (lowest.get(folder) !== order.get(folder)) return;
    const ring = open.splice(open.indexOf(folder));
    if (ring.length > 1) rings.push(ring.sort());
  };
  for (const folder of arrows.keys()) if (!order.has(folder)) visit(folder);
  return rings;
}

/** Each function with a name, or the name of what it is given to. */
function functionsOf(file, text) {
  if (!/\.tsx?$/.test(file) || MIGRATION.test(file)) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body !== undefined) {
      const line = (position) => source.getLineAndCharacterOfPosition(position).line;
      const name = node.name ?? node.parent.name;
      const from = line(node.getStart(source));
      found.push({
        lines: line(node.end) - from + 1,
        name: `${file}:${from + 1} ${name === undefined ? '' : name.getText(source)}`,
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Addresses of the API in the text, parameters alike however they are written. */
function routesIn(text) {
  return new Set(
    [...text.matchAll(ROUTE)].map(([, route]) => route.replace(/\$\{[^}]*\}|\{[^}]*\}|:\w+/g, '*')),
  );
}

/** Each file's imports: `direct`, and `named`, which goes through barrels to the files that declare the names. */
function importsOf(files, code) {
  const known = new Set(code);
  const target = (from, specifier) => {
    const [scope, name, ...rest] = specifier.split('/');
    const folder = FOLDERS[name] ?? (TOP.includes(name) ? name : `services/${name}`);
    let base;
    if (specifier.startsWith('.')) base = path.join(path.dirname(from), specifier);
    else if (scope === '@meetmark') base = path.join(folder, 'src', rest.join('/') || 'index');
    else return undefined;
    const stem = base.replace(/\.jsx?$/, '');
    return [`${stem}.ts`, `${stem}.tsx`, base, `${stem}/index.ts`].find((file) => known.has(file));
  };
  const statements = new Map(
    code.map((file) => {
      const text = files.get(file);
      const fixed = [...text.matchAll(IMPORT)].map(([, kind, typed, whole, names, from]) => ({
        kind,
        whole,
        isType:
          typed !== undefined ||
          (whole === undefined && /\S/.test(names ?? '') && !/(^|,)\s*(?!type\s)\w/.test(names)),
        names: names
          ?.split(',')
          .map((each) => /^\s*(?:type\s+)?(\w+)(?:\s+as\s+(\w+))?/.exec(each))
          .filter((each) => each !== null)
          .map(([, name, as]) => ({ name, as: as ?? name })),
        to: target(file, from),
      }));
      const later = [...text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g)].map(([, from]) => ({
        to: target(file, from),
      }));
      return [file, [...fixed, ...later].filter(({ to }) => to !== undefined)];
    }),
  );
  const declared = (file, name, seen = new Set()) => {
    if (seen.has(file)) return undefined;
    seen.add(file);
    const own = new RegExp(
      `export\\s+(?:(?:abstract|async|declare)\\s+)*(?:const|let|class|function\\*?|interface|type|enum)\\s+${name}\\b`,
    );
    if (own.test(files.get(file))) return file;
    for (const { kind, whole, names, to } of statements.get(file)) {
      if (kind !== 'export') continue;
      const passed = names?.find(({ as }) => as === name);
      if (passed !== undefined) return declared(to, passed.name, seen) ?? to;
      const found = whole?.startsWith('*') ? declared(to, name, seen) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return new Map(
    [...statements].map(([file, some]) => {
      const named = some.flatMap(({ whole, names, to }) =>
        names !== undefined && whole === undefined ? names.map(({ name }) => declared(to, name) ?? to) : [to],
      );
      const direct = new Set(some.map(({ to }) => to));
      const atRunTime = new Set(some.filter(({ isType }) => !isType).map(({ to }) => to));
      return [file, { direct, named: new Set(named), atRunTime }];
    }),
  );
}

function reach(imports, starts) {
  const seen = new Set(starts);
  for (const file of seen) for (const to of imports.get(file).named) seen.add(to);
  return seen;
}

function readFolder(folder) {
  const files = new Map();
  const visit = (below) => {
    for (const entry of fs.readdirSync(path.join(folder, below), { withFileTypes: true })) {
      const file = path.posix.join(below, entry.name);
      if (SKIPPED.test(file)) continue;
      if (entry.isDirectory()) visit(file);
      else if (CODE.test(file) || file.endsWith('.md'))
        files.set(file, fs.readFileSync(path.join(folder, file), 'utf8'));
    }
  };
  visit('');
  return files;
}

/** A folder, or a commit, which is unpacked into a folder of its own first. */
function read(where) {
  if (fs.existsSync(where)) return readFolder(where);
  const { status } = spawnSync(
    'git',
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${where}^{commit}`],
    {
      cwd: ROOT,
    },
  );
  if (status !== 0) throw new Error(`There is no folder and no commit '${where}'.`);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'meetmark-house-'));
  try {
    const archive = execFileSync('git', ['archive', where], { cwd: ROOT, maxBuffer: 1 << 30 });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
    return readFolder(folder);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

const KEPT = path.join(ROOT, 'scripts/house.json');

/** What got worse and what got better than the figures that are kept, as sentences. */
export function compare(kept, rows) {
  const figures = new Map(rows.map(([name, , value]) => [name, Number(value)]));
  const worse = [];
  const better = [];
  for (const [name, { most, because }] of Object.entries(kept)) {
    const now = figures.get(name);
    if (now === undefined) worse.push(`${name} is no row of npm run house.`);
    else if (!because) worse.push(`${name} does not say why it is ${most}: give it 'because'.`);
    else if (now > most) worse.push(`${name} is ${now} and was ${most}: npm run house -- --list '${name}'.`);
    else if (now < most) better.push(`${name} is ${now} and was ${most}.`);
  }
  return { worse, better, figures };
}

/** Fails where something got worse; writes down what got better where `write` says so. */
function ratchet(write) {
  const kept = JSON.parse(fs.readFileSync(KEPT, 'utf8'));
  const { worse, better, figures } = compare(kept, measure(readFolder(ROOT)));
  for (const line of [...worse, ...better]) console.log(line);
  if (write) {
    for (const [name, row] of Object.entries(kept)) row.most = Math.min(row.most, figures.get(name));
    fs.writeFileSync(KEPT, `${JSON.stringify(kept, null, 2)}\n`);
  } else if (better.length > 0) console.log('npm run house -- --update keeps what got better.');
  if (worse.length === 0) return;
  console.log('What got worse is mended, or raised in scripts/house.json with the reason.');
  process.exitCode = 1;
}

function main(args) {
  if (args.includes('--check') || args.includes('--update')) return ratchet(args.includes('--update'));
  const at = args.indexOf('--list');
  const [, listed] = at < 0 ? [] : args.splice(at, 2);
  const columns = [
    ...args.map((where) => ({ title: where, rows: measure(read(where)) })),
    { title: 'working tree', rows: measure(readFolder(ROOT)) },
  ];
  if (listed !== undefined) {
    for (const { title, rows } of columns) {
      const row = rows.find(([name]) => name === listed);
      if (row === undefined)
        throw new Error(`There is no row '${listed}': ${rows.map(([name]) => name).join(', ')}.`);
      console.log(`${title}: ${row[2]}\n${row[3].map((each) => `  ${each}`).join('\n')}`);
    }
    return;
  }
  const line = (name, values, rule) =>
    `${name.padEnd(14)}${values.map((value) => value.padStart(14)).join('')}  ${rule}`;
  console.log(
    line(
      '',
      columns.map(({ title }) => title),
      '',
    ),
  );
  for (const [index, [name, rule]] of columns[0].rows.entries())
    console.log(
      line(
        name,
        columns.map(({ rows }) => rows[index][2]),
        rule,
      ),
    );
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) main(process.argv.slice(2));
