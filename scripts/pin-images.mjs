#!/usr/bin/env node
// Writes down which images are meant, by digest, so that a tag that moves changes nothing. Asks the registries; needs docker with buildx.
//   node scripts/pin-images.mjs [FILE]                   the images that Compose builds on and runs, into .env
//   node scripts/pin-images.mjs --release PREFIX TAG     PREFIX/gateway:TAG and so on, into k8s/overlays/production
//   node scripts/pin-images.mjs --check                  fails when k8s/overlays/production still holds what it was delivered with
// Plain JavaScript: it runs before anything is installed.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

const here = (name) => new URL(`../${name}`, import.meta.url);
const OWN = ['gateway', 'auth', 'events', 'admin', 'worker', 'migrate'];
const DIGEST = /^sha256:[0-9a-f]{64}$/;
/** In place of a digest before the first release. */
const NO_DIGEST = /^sha256:0+$/;
const PRODUCTION = 'k8s/overlays/production';
/** One image in the overlay: before its place, its place, between, its digest. */
const entryOf = (name) =>
  new RegExp(`(name: meetmark/${name},\\s+newName: )([^,\\s]+)(,\\s+digest: )'([^']*)'`);

const [first = '.env', ...rest] = process.argv.slice(2);
if (first === '--release') pinRelease(...rest);
else if (first === '--check') checkRelease();
else if (first.startsWith('-')) fail(`${first} is neither --release nor --check`);
else pinEnvironment(first);

/** Every `${NAME_IMAGE:-image:tag}` of docker-compose.yml; what was pinned before is looked up anew. */
function pinEnvironment(file) {
  const compose = readFileSync(here('docker-compose.yml'), 'utf8');
  const images = new Map(
    [...compose.matchAll(/\$\{([A-Z]+_IMAGE):-([^}]+)\}/g)].map(([, name, image]) => [name, image]),
  );
  const pinned = [...images].map(([name, image]) => `${name}=${image}@${digestOf(image)}`);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const others = text.split('\n').filter((line) => line !== '' && !images.has(line.split('=')[0]));
  writeFileSync(file, [...others, ...pinned, ''].join('\n'), { mode: 0o600 });
  console.log(pinned.join('\n'));
}

function pinRelease(prefix, tag) {
  if (!prefix || !tag)
    fail('such as: node scripts/pin-images.mjs --release registry.example.org/meetmark v1.2.3');
  const file = here(`${PRODUCTION}/kustomization.yaml`);
  let text = readFileSync(file, 'utf8');
  for (const name of OWN) {
    const digest = digestOf(`${prefix}/${name}:${tag}`);
    if (!entryOf(name).test(text)) fail(`meetmark/${name} is missing in ${file.pathname}`);
    text = text.replace(
      entryOf(name),
      (_, before, place, between) => `${before}${prefix}/${name}${between}'${digest}'`,
    );
    console.log(`${prefix}/${name}@${digest}`);
  }
  writeFileSync(file, text);
}

/** Names every digest and address that is an example's. */
function checkRelease() {
  const files = readdirSync(here(PRODUCTION));
  const examples = files.flatMap((file) => {
    const lines = readFileSync(here(`${PRODUCTION}/${file}`), 'utf8').split('\n');
    return lines.flatMap((line, index) =>
      /^[^#]*example\.(org|com)/.test(line) ? [`${PRODUCTION}/${file}:${index + 1}: ${line.trim()}`] : [],
    );
  });
  const text = readFileSync(here(`${PRODUCTION}/kustomization.yaml`), 'utf8');
  const unpinned = OWN.filter((name) => {
    const digest = entryOf(name).exec(text)?.[4] ?? '';
    return !DIGEST.test(digest) || NO_DIGEST.test(digest);
  });
  const problems = [...examples, ...unpinned.map((name) => `meetmark/${name} has no digest: use --release`)];
  if (problems.length > 0) fail(`Not ready for a release:\n${problems.join('\n')}`);
  console.log(`${PRODUCTION}: every image has a digest, and no address is an example's.`);
}

/** Of the whole list of platforms, so that the pin holds on every machine. */
function digestOf(image) {
  try {
    const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] };
    const command = ['buildx', 'imagetools', 'inspect', image, '--format', '{{json .Manifest}}'];
    const { digest } = JSON.parse(execFileSync('docker', command, options));
    if (DIGEST.test(digest)) return digest;
    return fail(`${image}: ${digest} is no digest`);
  } catch (error) {
    return fail(`${image} cannot be resolved, so nothing was written: ${error.stderr || error.message}`);
  }
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
