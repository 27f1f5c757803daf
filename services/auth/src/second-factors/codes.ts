import { createHmac, randomBytes } from 'node:crypto';
import { SECOND_FACTOR } from '@meetmark/contracts';
import { Secret, TOTP } from 'otpauth';

/** What every authenticator app understands: SHA-1, six digits, thirty seconds (RFC 6238). */
const TOTP_OPTIONS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Time steps before and after the present one that are taken: clocks differ and people type slowly. */
const WINDOW = 1;
/** Bytes of a TOTP secret (RFC 4226 asks for at least 16, recommends 20). */
const SECRET_BYTES = 20;
/** Bytes of a recovery code: 80 bits need no limit on tries. */
const RECOVERY_BYTES = 10;
const TOKEN_BYTES = 32;

/** A new secret, base32. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** What a sealed TOTP secret opens under: the account that it belongs to. */
export const totpSeal = (userId: string) => `totp:${userId}`;

/** The time step that the code belongs to, or null when it is wrong. A caller refuses steps that were used before. */
export function stepOfCode(secret: string, code: string, now = Date.now()): number | null {
  const totp = new TOTP({ ...TOTP_OPTIONS, secret: Secret.fromBase32(secret) });
  const delta = totp.validate({ token: code, window: WINDOW, timestamp: now });
  return delta === null ? null : Math.floor(now / 1_000 / TOTP_OPTIONS.period) + delta;
}

/** Recovery codes as they are shown: four groups of four letters and digits. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: SECOND_FACTOR.recoveryCodes }, () =>
    new Secret({ buffer: new Uint8Array(randomBytes(RECOVERY_BYTES)).buffer }).base32
      .match(/.{4}/g)!
      .join('-'),
  );

/** One hash for every way of typing the code. Keyed by the account, so that one table of guesses fits one account only. */
export const hashRecoveryCode = (userId: string, code: string): Buffer =>
  createHmac('sha256', `recovery code:${userId.toLowerCase()}`)
    .update(code.toUpperCase().replace(/[^A-Z2-7]/g, ''))
    .digest();

export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');
