import { readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { FONTS } from '@meetmark/contracts/community';
import opentype from 'opentype.js';
import wawoff2 from 'wawoff2';

// Part of the build: the fonts that communities may choose, and the letters of share pictures that no outline of ours has (src/media/share-picture.ts), as the fonts that the
// library of pictures reads: no WOFF, and each of one weight. One file for each subset of the packages, so that few are read for a picture.

const require = createRequire(import.meta.url);
const TO = path.join(import.meta.dirname, 'dist/fonts');
const WEIGHT = 700;
/** By package, which files of it and which of those: what another family has better is left out. */
const FAMILIES = {
  '@fontsource/manrope': [/^manrope-.+-700-normal/, /./u],
  '@fontsource-variable/noto-sans-arabic': [/-arabic-wght-normal/, /./u],
  '@fontsource-variable/noto-sans-hebrew': [/-hebrew-wght-normal/, /./u],
  '@fontsource-variable/noto-sans-devanagari': [/-devanagari-wght-normal/, /./u],
  '@fontsource-variable/noto-sans-thai': [/-thai-wght-normal/, /./u],
  '@fontsource-variable/noto-sans-jp': [
    /-wght-normal/,
    /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u,
  ],
  '@fontsource-variable/noto-sans-kr': [/-wght-normal/, /\p{Script=Hangul}/u],
  '@fontsource-variable/noto-sans-sc': [/-wght-normal/, /\p{Script=Han}/u],
};
/** No font of a configuration of the machine's: what a picture shows does not depend on where it is drawn. */
const CONFIGURATION =
  '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd"><fontconfig></fontconfig>';

const { instance } = await WebAssembly.instantiate(
  readFileSync(require.resolve('harfbuzzjs/dist/harfbuzz-subset.wasm')),
);
const harfbuzz = instance.exports;

/** A variable font at one weight, with all its letters. */
function atWeight(font, weight = WEIGHT) {
  const memory = harfbuzz.malloc(font.length);
  new Uint8Array(harfbuzz.memory.buffer).set(font, memory);
  const blob = harfbuzz.hb_blob_create(memory, font.length, 2, 0, 0); // 2: may be written
  const face = harfbuzz.hb_face_create(blob, 0);
  const input = harfbuzz.hb_subset_input_create_or_fail();
  harfbuzz.hb_subset_input_keep_everything(input);
  harfbuzz.hb_subset_input_pin_axis_location(input, face, Buffer.from('wght').readUInt32BE(), weight);
  const bold = harfbuzz.hb_subset_or_fail(face, input);
  if (bold === 0) throw new Error('A font cannot be brought to one weight.');
  const made = harfbuzz.hb_face_reference_blob(bold);
  const from = harfbuzz.hb_blob_get_data(made, 0);
  const bytes = Buffer.from(new Uint8Array(harfbuzz.memory.buffer, from, harfbuzz.hb_blob_get_length(made)));
  for (const each of [made, blob]) harfbuzz.hb_blob_destroy(each);
  for (const each of [bold, face]) harfbuzz.hb_face_destroy(each);
  harfbuzz.hb_subset_input_destroy(input);
  harfbuzz.free(memory);
  return bytes;
}

await rm(TO, { recursive: true, force: true });
await mkdir(TO, { recursive: true });
const fonts = [];
for (const [name, [files, letters]] of Object.entries(FAMILIES)) {
  const folder = path.dirname(require.resolve(`${name}/package.json`));
  for (const file of readdirSync(path.join(folder, 'files')).filter(
    (each) => files.test(each) && each.endsWith('.woff2'),
  )) {
    const packed = await wawoff2.decompress(await readFile(path.join(folder, 'files', file)));
    const { buffer } = new Uint8Array(packed);
    const { tables, names } = opentype.parse(buffer, { lowMemory: true });
    const has = Object.keys(tables.cmap.glyphIndexMap).map((code) => String.fromCodePoint(Number(code)));
    if (!has.some((letter) => letters.test(letter))) continue;
    const to = file.replace(/(-wght-normal|-normal)?\.woff2$/, '.ttf');
    await writeFile(path.join(TO, to), tables.fvar === undefined ? packed : atWeight(new Uint8Array(packed)));
    fonts.push({ file: to, family: (names.preferredFamily ?? names.fontFamily).en, letters: has.join('') });
  }
  await copyFile(path.join(folder, 'LICENSE'), path.join(TO, `${path.basename(name)}.LICENSE`));
}
for (const name of Object.keys(FONTS)) {
  const folder = path.dirname(require.resolve(`@fontsource-variable/${name}/package.json`));
  for (const subset of ['latin', 'latin-ext']) {
    const packed = await readFile(path.join(folder, `files/${name}-${subset}-wght-normal.woff2`));
    const font = new Uint8Array(await wawoff2.decompress(packed));
    for (const weight of [600, WEIGHT])
      await writeFile(path.join(TO, `${name}-${subset}-${weight}.ttf`), atWeight(font, weight));
  }
  await copyFile(path.join(folder, 'LICENSE'), path.join(TO, `${name}.LICENSE`));
}
await writeFile(path.join(TO, 'fonts.json'), JSON.stringify(fonts));
await writeFile(path.join(TO, 'fonts.conf'), CONFIGURATION);
