import { webcrypto } from 'node:crypto';
import { jest } from '@jest/globals';
import { generatePassword } from './generate-password';

// jsdom has no random numbers of its own.
const getRandomValues = jest.fn((bytes: Uint8Array<ArrayBuffer>) => webcrypto.getRandomValues(bytes));
Object.defineProperty(globalThis, 'crypto', { value: { getRandomValues }, configurable: true });

describe('A generated password', () => {
  it('has 8 characters out of upper-case letters, lower-case letters and digits', () => {
    expect(generatePassword()).toMatch(/^[A-Za-z0-9]{8}$/);
  });

  it('is another one each time', () => {
    const passwords = Array.from({ length: 200 }, () => generatePassword());
    expect(new Set(passwords).size).toBe(passwords.length);
  });

  it('throws away the bytes that would make some characters likelier, and asks for more', () => {
    getRandomValues.mockImplementationOnce((bytes) => {
      bytes.fill(255);
      bytes[0] = 0;
      bytes[1] = 247;
      bytes[2] = 248;
      return bytes;
    });
    getRandomValues.mockImplementationOnce((bytes) => bytes.fill(26));
    expect(generatePassword()).toBe('A9aaaaaa');
  });
});
