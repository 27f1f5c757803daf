import fs from 'node:fs';
import { directoryForEachTest } from '../testing/test-directory.js';
import { closeContents, makePrivateDirectory } from './private-directory.js';

const { at, mode, write } = directoryForEachTest();

it('denies other users access to a private directory’s contents, not to link targets', () => {
  for (const name of ['file', 'data/run.json', 'data/mail/one.eml']) {
    write(name, '');
    fs.chmodSync(at(name), 0o644);
  }
  fs.chmodSync(at('data'), 0o777);
  fs.symlinkSync('../file', at('data/link'));
  fs.symlinkSync('/nowhere', at('data/dangling'));
  makePrivateDirectory(at('data'));
  closeContents(at('data'));
  const rights = ['data', 'data/mail', 'data/run.json', 'data/mail/one.eml', 'file'].map(mode);
  expect(rights).toEqual(['700', '700', '600', '600', '644']);
});
