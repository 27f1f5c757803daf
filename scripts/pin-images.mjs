#!/usr/bin/env node
// Writes down which images are meant, by digest, so that a tag that moves changes nothing. Asks the registries; needs docker with buildx.
//   node scripts/pin-images.mjs [FILE]                   the images that Compose builds on and runs, into .env
//   node scripts/pin-images.mjs --release PREFIX TAG     PREFIX/gateway:TAG and so on, into k8s/overlays/production
// Plain JavaScript: it runs before anything is installed.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const here = (name) => new URL(`../${name}`, import.meta.url);
const OWN = ['gateway', 'auth', 'events', 'admin', 'worker', 'migrate'];
const DIGEST = /^sha256:[0-9a-f]{64}$/;

const [first = '.env', ...rest] = process.argv.slice(2);
if (first === '--release') pinRelease(...rest);
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
  const file = here('k8s/overlays/production/kustomization.yaml');
  let text = readFileSync(file, 'utf8');
  for (const name of OWN) {
    const digest = digestOf(`${prefix}/${name}:${tag}`);
    const entry = new RegExp(`(name: meetmark/${name},\\s+newName: )[^,\\s]+(,\\s+digest: )'[^']*'`);
    if (!entry.test(text)) fail(`meetmark/${name} is missing in ${file.pathname}`);
    text = text.replace(entry, (_, before, between) => `${before}${prefix}/${name}${between}'${digest}'`);
    console.log(`${prefix}/${name}@${digest}`);
  }
  writeFileSync(file, text);
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
