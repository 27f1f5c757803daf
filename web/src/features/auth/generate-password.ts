import { LIMITS } from '@meetmark/contracts/limits';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Bytes from here on would favour the first letters of the alphabet: they are discarded. */
const UNBIASED = 256 - (256 % ALPHABET.length);

/** A random password of upper-case letters, lower-case letters and digits, each equally likely. */
export function generatePassword(): string {
  const length = LIMITS.generatedPassword;
  let password = '';
  const bytes = new Uint8Array(length);
  while (password.length < length)
    for (const byte of crypto.getRandomValues(bytes))
      if (byte < UNBIASED && password.length < length) password += ALPHABET[byte % ALPHABET.length];
  return password;
}
