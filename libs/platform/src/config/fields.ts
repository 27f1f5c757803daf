import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IdentityKey, IdentityKeys } from '../identity/keys.js';
import { isWeakSecret, SafeForPeople } from './production.js';
import { ArrayNotEmpty, IsInt, Matches, Max, Min, MinLength, NotContains, ValidateBy } from 'class-validator';

/** A whole number from `min` to `max`. */
export const IntegerVariable = (min: number, max: number) =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? Number(value) : value)),
    IsInt({ message: `must be a whole number from ${min} to ${max}` }),
    Min(min, { message: `must be at least ${min}` }),
    Max(max, { message: `must be at most ${max}` }),
  );

/** An address with one of the schemes, such as `redis`. This checks only the shape; the driver parses it. */
export const UrlVariable = (...schemes: string[]) =>
  Matches(new RegExp(`^(${schemes.join('|')})://.+`), {
    message: `must be an address that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
  });

/** Comma-separated values. */
const ListTransform = () =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string'
      ? value
          .split(',')
          .map((each) => each.trim())
          .filter(Boolean)
      : value,
  );

const SECRET_LENGTH = 32;
const PLACEHOLDER = 'change-me';

/** Comma-separated secrets. The first signs, all of them verify, so that secrets can be rotated. */
export const SecretsVariable = () =>
  applyDecorators(
    ListTransform(),
    ArrayNotEmpty({ message: 'must hold at least one secret' }),
    MinLength(SECRET_LENGTH, {
      each: true,
      message: `must hold secrets of at least ${SECRET_LENGTH} characters, separated by commas`,
    }),
    NotContains(PLACEHOLDER, { each: true, message: 'still holds the placeholder of the example' }),
    SafeForPeople(
      (secrets) => Array.isArray(secrets) && !secrets.some((secret) => isWeakSecret(String(secret))),
      'must hold secrets that were made at random: one of them repeats itself or has few different characters',
    ),
  );

const KEY_HINT = 'as `node scripts/make-env.mjs --identity` makes it';

/** The one key that signs identities. */
export const PrivateKeyVariable = () =>
  ValidateBy({
    name: 'isPrivateKey',
    validator: {
      validate: (value: unknown) => canBeMade(() => new IdentityKey(String(value))),
      defaultMessage: () => `must be a private key ${KEY_HINT}`,
    },
  });

/** The keys that verify identities: a new one is added before the gateway signs with it. */
export const PublicKeysVariable = () =>
  applyDecorators(
    ListTransform(),
    ArrayNotEmpty({ message: 'must hold at least one public key' }),
    ValidateBy({
      name: 'arePublicKeys',
      validator: {
        validate: (value: unknown) => Array.isArray(value) && canBeMade(() => new IdentityKeys(value)),
        defaultMessage: () => `must hold public keys ${KEY_HINT}, separated by commas`,
      },
    }),
  );

function canBeMade(make: () => unknown): boolean {
  try {
    make();
    return true;
  } catch {
    return false; // the message names the variable only: its value may be secret
  }
}
