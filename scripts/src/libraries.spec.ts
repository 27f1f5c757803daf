import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folders = JSON.parse(process.env.MEETMARK_LIBRARIES!) as Record<string, string>;
const modulesOf = (set: string): string[] =>
  JSON.parse(fs.readFileSync(path.join(folders[set]!, 'contents.json'), 'utf8')).modules;

const resolve = createRequire(import.meta.url)(path.join(ROOT, 'scripts/jest/resolver.cjs')) as (
  request: string,
  options: { basedir: string; conditions: string[]; defaultResolver: () => string },
) => string;
const found = (request: string, folder: string) =>
  resolve(request, {
    basedir: path.join(ROOT, folder),
    conditions: [],
    defaultResolver: () => 'as it stands',
  });

describe('the libraries that are bundled for Jest', () => {
  it.each([
    ['server', 'class-validator/', 'metadata/MetadataStorage'],
    ['server', 'class-transformer/', 'MetadataStorage'],
    ['server', 'typeorm/', 'metadata-args/MetadataArgsStorage'],
    ['server', '@nestjs/core/', 'injector/container'],
    ['server', '@nestjs/common/', 'utils/shared.utils'],
    ['browser', 'react/', 'react.development'],
    ['browser', 'antd/', 'config-provider/context'],
  ])('%s: hold one copy of %s', (set, library, part) => {
    const copies = modulesOf(set).filter(
      (id) => id.includes(`node_modules/${library}`) && id.replace(/\.[cm]?js$/, '').endsWith(`/${part}`),
    );
    expect(copies).toEqual([expect.any(String)]);
  });

  it.each(['class-validator', '@nestjs/common/constants.js', 'typeorm'])(
    'are what our sources get: %s',
    (name) => {
      expect(found(name, 'gateway/src')).toMatch(folders.server!);
    },
  );

  it.each(['node_modules/@nestjs/core', 'node_modules/some-library/dist'])(
    'are not loaded again by %s',
    (folder) => {
      expect(() => found('class-validator', folder)).toThrow('would load a second class-validator');
      expect(found('sharp', folder)).toBe('as it stands');
    },
  );

  it('are not loaded again by what is in a bundle', () => {
    const inside = path.relative(ROOT, folders.server!);
    expect(() => found('typeorm', inside)).toThrow('would load a second typeorm');
  });
});
