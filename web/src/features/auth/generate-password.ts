import { LIMITS } from '@meetmark/contracts/limits';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Bytes of this value or higher are discarded, because they would favour the first characters. */
const UNBIASED = 256 - (256 % ALPHABET.length);

export function generatePassword(): string {
  const length = LIMITS.generatedPassword;
  let password = '';
  const bytes = new Uint8Array(length);
  while (password.length < length)
    for (const byte of crypto.getRandomValues(bytes))
      if (byte < UNBIASED && password.length < length) password += ALPHABET[byte % ALPHABET.length];
  return password;
}
