import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { loadSecrets } from './secrets.js';

describe('loadSecrets', () => {
  let directory: string;
  let file: string;
  beforeEach(() => {
    directory = fs.mkdtempSync(path.join(os.tmpdir(), 'meetmark-secrets-'));
    file = path.join(directory, '.local/secrets.json');
  });
  afterEach(() => fs.rmSync(directory, { recursive: true }));

  it('creates different secrets once, in a file that only its owner can read', () => {
    const made = loadSecrets(file);
    const { session, resetCode, secondFactor, link, rpc } = made;
    expect(session.length).toBeGreaterThanOrEqual(32);
    expect(new Set([session, resetCode, secondFactor, link, rpc]).size).toBe(5);
    expect(loadSecrets(file)).toEqual(made);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  });

  it('keeps values that the user chose earlier', () => {
    const chosen = { adminEmail: 'boss@example.org', adminPassword: 'chosen' };
    loadSecrets(file, chosen);
    expect(loadSecrets(file, { adminEmail: undefined })).toMatchObject(chosen);
  });

  it('adds secrets that an older file lacks', () => {
    const { link, redisPasswords, ...older } = loadSecrets(file);
    fs.writeFileSync(file, JSON.stringify(older));
    const completed = loadSecrets(file);
    expect(completed).toMatchObject(older);
    expect(completed.link).not.toBe(link);
    expect(Object.keys(completed.redisPasswords)).toEqual(Object.keys(redisPasswords));
  });

  it('does not replace a broken file', () => {
    loadSecrets(file);
    fs.writeFileSync(file, '{');
    expect(() => loadSecrets(file)).toThrow(
      /is not valid JSON. Repair it, or remove it to create new secrets/,
    );
  });
});
