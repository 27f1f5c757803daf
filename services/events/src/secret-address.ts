import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** The secret part of an address; only its hash is stored. */
export const newToken = () => randomBytes(TOKEN_BYTES).toString('base64url');

/** The token has 256 random bits and cannot be guessed, so a fast hash is enough. */
export const hashOf = (token: string) => createHash('sha256').update(token).digest();
