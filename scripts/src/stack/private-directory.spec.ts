import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { closeContents, makePrivateDirectory } from './private-directory.js';

it('denies other users access to a private directory’s contents, not to link targets', () => {
  const outside = fs.mkdtempSync(path.join(os.tmpdir(), 'meetmark-private-'));
  const at = (name: string) => path.join(outside, name);
  fs.mkdirSync(at('data/mail'), { recursive: true });
  fs.chmodSync(at('data'), 0o777);
  for (const name of ['file', 'data/run.json', 'data/mail/one.eml'])
    fs.writeFileSync(at(name), '', { mode: 0o644 });
  fs.symlinkSync('../file', at('data/link'));
  fs.symlinkSync('/nowhere', at('data/dangling'));
  makePrivateDirectory(at('data'));
  closeContents(at('data'));
  const rights = ['data', 'data/mail', 'data/run.json', 'data/mail/one.eml', 'file'].map((name) =>
    (fs.statSync(at(name)).mode & 0o777).toString(8),
  );
  expect(rights).toEqual(['700', '700', '600', '600', '644']);
  fs.rmSync(outside, { recursive: true });
});
