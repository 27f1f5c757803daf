import { directoryForEachTest } from '../testing/test-directory.js';
import { loadSecrets } from './secrets.js';

describe('loadSecrets', () => {
  const { at, mode, write } = directoryForEachTest();
  const FILE = '.local/secrets.json';
  const load = (chosen?: Parameters<typeof loadSecrets>[1]) => loadSecrets(at(FILE), chosen);

  it('creates different secrets once, in a file that only its owner can read', () => {
    const made = load();
    const { session, resetCode, secondFactor, link, rpc } = made;
    expect(session.length).toBeGreaterThanOrEqual(32);
    expect(new Set([session, resetCode, secondFactor, link, rpc]).size).toBe(5);
    expect(load()).toEqual(made);
    expect(mode(FILE)).toBe('600');
  });

  it('keeps values that the user chose earlier', () => {
    const chosen = { adminEmail: 'boss@example.org', adminPassword: 'chosen' };
    load(chosen);
    expect(load({ adminEmail: undefined })).toMatchObject(chosen);
  });

  it('adds secrets that an older file lacks', () => {
    const { link, redisPasswords, ...older } = load();
    write(FILE, JSON.stringify(older));
    const completed = load();
    expect(completed).toMatchObject(older);
    expect(completed.link).not.toBe(link);
    expect(Object.keys(completed.redisPasswords)).toEqual(Object.keys(redisPasswords));
  });

  it('does not replace a broken file', () => {
    load();
    write(FILE, '{');
    expect(load).toThrow(/is not valid JSON. Repair it, or remove it to create new secrets/);
  });
});
