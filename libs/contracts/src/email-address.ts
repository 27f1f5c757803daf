import { domainToASCII } from 'node:url';
import { LIMITS } from './limits.js';

// Mailboxes are ASCII here (IsEmailAddress); only ASCII letters are folded, so that no other letter can fold into one of them.
const folded = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/**
 * The one form of an address in which it is stored, looked up and counted: trimmed, in lower case, its domain as DNS spells it.
 * Unicode's own lower case would make `gmail.com` of `gmaİl.com`, which is another domain.
 * What is no address, or longer than one, comes back as it is, for the validation to refuse: spelling a domain takes time by the square
 * of its length.
 */
export function normaliseEmail(address: string): string {
  if (address.length > LIMITS.email) return address;
  const trimmed = address.trim();
  const at = trimmed.lastIndexOf('@');
  const typed = trimmed.slice(at + 1);
  // The parser of host names would decode %61 and stop at a path.
  const domain = /[%/?#:\\[\]\s]/.test(typed) ? '' : domainToASCII(typed);
  return at < 0 || domain === '' ? trimmed : `${folded(trimmed.slice(0, at))}@${domain}`;
}
