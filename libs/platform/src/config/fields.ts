import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IdentityKey, IdentityKeys } from '../identity/keys.js';
import { isWeakSecret, SafeForPeople } from './production.js';
import { ArrayNotEmpty, IsInt, Matches, Max, Min, MinLength, NotContains, ValidateBy } from 'class-validator';

export const IntegerVariable = (min: number, max: number) =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? Number(value) : value)),
    IsInt({ message: `must be a whole number from ${min} to ${max}` }),
    Min(min, { message: `must be at least ${min}` }),
    Max(max, { message: `must be at most ${max}` }),
  );

/** Checks only the scheme, because the driver parses the rest of the URL. */
export const UrlVariable = (...schemes: string[]) =>
  Matches(new RegExp(`^(${schemes.join('|')})://.+`), {
    message: `must be a URL that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
  });

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

/**
 * The first secret signs and encrypts. Texts signed or encrypted with any of the secrets are accepted, so
 * that secrets can be rotated.
 */
export const SecretsVariable = () =>
  applyDecorators(
    ListTransform(),
    ArrayNotEmpty({ message: 'must contain at least one secret' }),
    MinLength(SECRET_LENGTH, {
      each: true,
      message: `must contain secrets of at least ${SECRET_LENGTH} characters, separated by commas`,
    }),
    NotContains(PLACEHOLDER, {
      each: true,
      message: 'still contains the placeholder change-me: replace it with a random secret',
    }),
    SafeForPeople(
      (secrets) => Array.isArray(secrets) && !secrets.some((secret) => isWeakSecret(String(secret))),
      'must contain random secrets: one of them repeats itself or has too few different characters',
    ),
  );

const KEY_HINT = 'from `node scripts/make-env.mjs --identity`';

export const PrivateKeyVariable = () =>
  ValidateBy({
    name: 'isPrivateKey',
    validator: {
      validate: (value: unknown) => canBeMade(() => new IdentityKey(String(value))),
      defaultMessage: () => `must be a private key ${KEY_HINT}`,
    },
  });

/** To rotate keys, add the new public key here before the gateway signs with it. */
export const PublicKeysVariable = () =>
  applyDecorators(
    ListTransform(),
    ArrayNotEmpty({ message: 'must contain at least one public key' }),
    ValidateBy({
      name: 'arePublicKeys',
      validator: {
        validate: (value: unknown) => Array.isArray(value) && canBeMade(() => new IdentityKeys(value)),
        defaultMessage: () => `must contain public keys ${KEY_HINT}, separated by commas`,
      },
    }),
  );

function canBeMade(make: () => unknown): boolean {
  try {
    make();
    return true;
  } catch {
    return false; // The value may be secret, so no error may contain it.
  }
}
