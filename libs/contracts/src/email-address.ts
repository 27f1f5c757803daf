import { domainToASCII } from 'node:url';
import { LIMITS } from './limits.js';

// Lowercases only ASCII letters, because Unicode lowercases some other letters to ASCII letters
// (`gmaİl.com`).
const folded = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Returns text beyond the length limit unchanged, because converting a domain takes quadratic time. */
export function normaliseEmail(address: string): string {
  if (address.length > LIMITS.email) return address;
  const trimmed = address.trim();
  const at = trimmed.lastIndexOf('@');
  const typed = trimmed.slice(at + 1);
  // Reject characters that the URL parser would decode (`%61`) or treat as the end of the host.
  const domain = /[%/?#:\\[\]\s]/.test(typed) ? '' : domainToASCII(typed);
  return at < 0 || domain === '' ? trimmed : `${folded(trimmed.slice(0, at))}@${domain}`;
}

/**
 * Limits apply per mailbox, because servers deliver `ada+1@` to `ada@`. Must match `mailboxSql` and the
 * generated columns.
 */
export const toMailbox = (address: string): string => folded(address).replace(/^([^+@]+)\+[^@]*@/, '$1@');

/** @param address an SQL expression */
export const mailboxSql = (address: string): string =>
  String.raw`regexp_replace(lower(${address}), '^([^+@]+)\+[^@]*@', '\1@')`;
