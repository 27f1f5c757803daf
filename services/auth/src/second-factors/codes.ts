import { createHmac, randomBytes } from 'node:crypto';
import { SECOND_FACTOR } from '@meetmark/contracts';
import { Secret, TOTP } from 'otpauth';

/** The options that every authenticator app supports (RFC 6238). */
const TOTP_OPTIONS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Time steps accepted before and after the current one, for inaccurate clocks and slow typing. */
const WINDOW = 1;
/** RFC 4226 requires 16 bytes and recommends 20. */
const SECRET_BYTES = 20;
/** 80 bits can't be guessed even without a limit on tries. */
const RECOVERY_BYTES = 10;
const TOKEN_BYTES = 32;

export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** Encryption context that ties a TOTP secret to its account. */
export const totpSeal = (userId: string) => `totp:${userId}`;

/** Returns the code's time step, or null for a wrong code. The caller must refuse a step used before. */
export function stepOfCode(secret: string, code: string, now = Date.now()): number | null {
  const totp = new TOTP({ ...TOTP_OPTIONS, secret: Secret.fromBase32(secret) });
  const delta = totp.validate({ token: code, window: WINDOW, timestamp: now });
  return delta === null ? null : Math.floor(now / 1_000 / TOTP_OPTIONS.period) + delta;
}

export const newRecoveryCodes = (): string[] =>
  Array.from({ length: SECOND_FACTOR.recoveryCodes }, () =>
    new Secret({ buffer: new Uint8Array(randomBytes(RECOVERY_BYTES)).buffer }).base32
      .match(/.{4}/g)!
      .join('-'),
  );

/** Includes the account's id, so that precomputed hashes work for one account only. */
export const hashRecoveryCode = (userId: string, code: string): Buffer =>
  createHmac('sha256', `recovery code:${userId.toLowerCase()}`)
    .update(
      code
        .normalize('NFKC')
        .toUpperCase()
        .replace(/[^A-Z2-7]/g, ''),
    )
    .digest();

export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');
