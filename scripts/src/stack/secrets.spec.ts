import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { loadSecrets } from './secrets.js';

describe('the secrets of an installation', () => {
  let directory: string;
  let file: string;
  beforeEach(() => {
    directory = fs.mkdtempSync(path.join(os.tmpdir(), 'meetmark-secrets-'));
    file = path.join(directory, '.local/secrets.json');
  });
  afterEach(() => fs.rmSync(directory, { recursive: true }));

  it('are made once and kept', () => {
    const made = loadSecrets(file);
    expect(made.session.length).toBeGreaterThanOrEqual(32);
    const { session, resetCode, secondFactor, link, messages } = made;
    expect(new Set([session, resetCode, secondFactor, link, ...Object.values(messages)]).size).toBe(9);
    expect(loadSecrets(file)).toEqual(made);
  });

  it('can be read by their user only', () => {
    loadSecrets(file);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  });

  it('take over what the user chooses, and keep that too', () => {
    loadSecrets(file, { adminEmail: 'boss@example.org', adminPassword: 'chosen' });
    expect(loadSecrets(file, { adminEmail: undefined })).toMatchObject({
      adminEmail: 'boss@example.org',
      adminPassword: 'chosen',
    });
  });

  it('are completed when a newer version needs another one', () => {
    const { link, redisPasswords, ...older } = loadSecrets(file);
    fs.writeFileSync(file, JSON.stringify(older));
    const completed = loadSecrets(file);
    expect(completed).toMatchObject(older);
    expect(completed.link).not.toBe(link);
    expect(Object.keys(completed.redisPasswords)).toEqual(Object.keys(redisPasswords));
  });

  it('are not replaced in silence when the file is broken', () => {
    loadSecrets(file);
    fs.writeFileSync(file, '{');
    expect(() => loadSecrets(file)).toThrow(
      /is not valid JSON. Repair it, or remove it: new secrets sign everybody out/,
    );
  });
});
