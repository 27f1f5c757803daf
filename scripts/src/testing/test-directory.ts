import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A temporary directory. The names of its files are relative to it. */
class TestDirectory {
  root = '';

  make(): void {
    this.root = fs.mkdtempSync(path.join(os.tmpdir(), 'meetmark-spec-'));
  }

  at = (name: string) => path.join(this.root, name);

  has = (name: string) => fs.existsSync(this.at(name));

  read = (name: string) => fs.readFileSync(this.at(name), 'utf8');

  write = (name: string, text: string) => {
    fs.mkdirSync(path.dirname(this.at(name)), { recursive: true });
    fs.writeFileSync(this.at(name), text);
  };

  remove = (name: string) => fs.rmSync(this.at(name), { recursive: true, force: true });

  /** Returns the permissions as an octal number. */
  mode = (name: string) => (fs.statSync(this.at(name)).mode & 0o777).toString(8);
}

/** Makes an empty directory before each test. Removes all of them after the last test. */
export function directoryForEachTest(): TestDirectory {
  const directory = new TestDirectory();
  const made: string[] = [];
  beforeEach(() => {
    directory.make();
    made.push(directory.root);
  });
  afterAll(() => {
    for (const root of made) fs.rmSync(root, { recursive: true, force: true });
  });
  return directory;
}
