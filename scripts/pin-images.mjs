#!/usr/bin/env node
// Pins images by digest, so that a later change of a tag has no effect. Queries the registries; needs docker
// with buildx.
//   node scripts/pin-images.mjs [FILE]                   writes the digests of Compose's images to .env or FILE
//   node scripts/pin-images.mjs --release PREFIX TAG     writes PREFIX/gateway:TAG etc. and PostgreSQL's image to k8s/overlays/production
//   node scripts/pin-images.mjs --check                  fails if k8s/overlays/production still has its placeholders
// Plain JavaScript, because it runs before `npm ci`.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

const here = (name) => new URL(`../${name}`, import.meta.url);
const OWN = ['gateway', 'auth', 'events', 'admin', 'worker', 'migrate'];
/** Images of the production overlay, including `postgres` for the backups. */
const RELEASED = [...OWN.map((name) => `meetmark/${name}`), 'postgres'];
const DIGEST = /^sha256:[0-9a-f]{64}$/;
/** Matches the placeholder for a digest. */
const NO_DIGEST = /^sha256:0+$/;
const PRODUCTION = 'k8s/overlays/production';
/** Matches an image's entry in the overlay. Group 2 is the new name, group 4 the digest. */
const buildEntryPattern = (name) =>
  new RegExp(`(name: ${name},\\s+newName: )([^,\\s]+)(,\\s+digest: )'([^']*)'`);

const [first = '.env', ...rest] = process.argv.slice(2);
if (first === '--release') pinRelease(...rest);
else if (first === '--check') checkRelease();
else if (first.startsWith('-')) fail(`${first} is not an option. Use --release or --check`);
else pinEnvironment(first);

/** Returns the variables and default images of all `${NAME_IMAGE:-image:tag}` in docker-compose.yml. */
function composeImages() {
  const compose = readFileSync(here('docker-compose.yml'), 'utf8');
  return new Map(
    [...compose.matchAll(/\$\{([A-Z]+_IMAGE):-([^}]+)\}/g)].map(([, name, image]) => [name, image]),
  );
}

/** Writes the digests to a .env file and replaces earlier ones. */
function pinEnvironment(file) {
  const images = composeImages();
  const pinned = [...images].map(([name, image]) => `${name}=${image}@${fetchDigest(image)}`);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const others = text.split('\n').filter((line) => line !== '' && !images.has(line.split('=')[0]));
  writeFileSync(file, [...others, ...pinned, ''].join('\n'), { mode: 0o600 });
  console.log(pinned.join('\n'));
}

function pinRelease(prefix, tag) {
  if (!prefix || !tag)
    fail('Usage: node scripts/pin-images.mjs --release registry.example.org/meetmark v1.2.3');
  const file = here(`${PRODUCTION}/kustomization.yaml`);
  let text = readFileSync(file, 'utf8');
  for (const name of RELEASED) {
    const image =
      name === 'postgres'
        ? composeImages().get('POSTGRES_IMAGE')
        : `${name.replace('meetmark', prefix)}:${tag}`;
    const digest = fetchDigest(image);
    if (!buildEntryPattern(name).test(text)) fail(`${name} is missing from ${file.pathname}`);
    const place = image.slice(0, image.lastIndexOf(':'));
    text = text.replace(
      buildEntryPattern(name),
      (_, before, former, between) => `${before}${place}${between}'${digest}'`,
    );
    console.log(`${place}@${digest}`);
  }
  writeFileSync(file, text);
}

function checkRelease() {
  const files = readdirSync(here(PRODUCTION));
  const examples = files.flatMap((file) => {
    const lines = readFileSync(here(`${PRODUCTION}/${file}`), 'utf8').split('\n');
    return lines.flatMap((line, index) =>
      /^[^#]*example\.(org|com)/.test(line) ? [`${PRODUCTION}/${file}:${index + 1}: ${line.trim()}`] : [],
    );
  });
  const text = readFileSync(here(`${PRODUCTION}/kustomization.yaml`), 'utf8');
  const unpinned = RELEASED.filter((name) => {
    const digest = buildEntryPattern(name).exec(text)?.[4] ?? '';
    return !DIGEST.test(digest) || NO_DIGEST.test(digest);
  });
  const problems = [...examples, ...unpinned.map((name) => `${name} has no digest: use --release`)];
  if (problems.length > 0) fail(`Not ready for a release:\n${problems.join('\n')}`);
  console.log(`${PRODUCTION}: every image has a digest, and no URL is an example's.`);
}

/** Returns the digest of the multi-platform index, which works on every processor architecture. */
function fetchDigest(image) {
  try {
    const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] };
    const command = ['buildx', 'imagetools', 'inspect', image, '--format', '{{json .Manifest}}'];
    const { digest } = JSON.parse(execFileSync('docker', command, options));
    if (DIGEST.test(digest)) return digest;
    return fail(`${image}: ${digest} is not a digest`);
  } catch (error) {
    return fail(`Could not resolve ${image}. Nothing was written: ${error.stderr || error.message}`);
  }
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
