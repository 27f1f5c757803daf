import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** Returns a random secret to put into a URL. Only the hash of the secret is stored. */
export const newToken = () => randomBytes(TOKEN_BYTES).toString('base64url');

/** A fast hash is enough: the token has 256 random bits. */
export const hashToken = (token: string) => createHash('sha256').update(token).digest();
