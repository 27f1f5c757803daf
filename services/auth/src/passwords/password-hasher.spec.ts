import { hash } from '@node-rs/argon2';
import { PasswordHasher } from './password-hasher.js';

describe('the password hasher', () => {
  const hasher = new PasswordHasher();

  it('makes Argon2id strings with 19 MiB, two passes and one lane', async () => {
    expect(await hasher.hash('secret')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('salts: the same password never looks the same', async () => {
    expect(await hasher.hash('secret')).not.toBe(await hasher.hash('secret'));
  });

  it('tells the right password from a wrong one, to the last of 255 characters', async () => {
    const long = 'ä'.repeat(255);
    const stored = await hasher.hash(long);
    await expect(hasher.verify(stored, long)).resolves.toBe(true);
    await expect(hasher.verify(stored, `${'ä'.repeat(254)}a`)).resolves.toBe(false);
  });

  it('says no without an account, whatever the password', async () => {
    await expect(hasher.verify(undefined, 'nobody has this password')).resolves.toBe(false);
  });

  it('knows which hashes were made with less than today', async () => {
    const weak = await hash('secret', { memoryCost: 8_192, timeCost: 2, parallelism: 1 });
    expect(hasher.isOutdated(weak)).toBe(true);
    expect(hasher.isOutdated(await hasher.hash('secret'))).toBe(false);
  });
});
