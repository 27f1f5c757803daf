import { domainToASCII } from 'node:url';

// Mailboxes are ASCII here (IsEmailAddress); only ASCII letters are folded, so that no other letter can fold into one of them.
const folded = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/**
 * The one form of an address in which it is stored, looked up and counted: trimmed, in lower case, its domain as DNS spells it.
 * Unicode's own lower case would make `gmail.com` of `gmaİl.com`, which is another domain.
 * What is no address comes back as it is, for the validation to refuse.
 */
export function normaliseEmail(address: string): string {
  const trimmed = address.trim();
  const at = trimmed.lastIndexOf('@');
  const typed = trimmed.slice(at + 1);
  // The parser of host names would decode %61 and stop at a path.
  const domain = /[%/?#:\\[\]\s]/.test(typed) ? '' : domainToASCII(typed);
  return at < 0 || domain === '' ? trimmed : `${folded(trimmed.slice(0, at))}@${domain}`;
}
