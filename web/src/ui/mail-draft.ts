interface MailDraft {
  to: string;
  subject: string;
  body: string;
}

/** A `mailto:` address (RFC 6068) in which nothing of the draft can become a further header or recipient. */
export function mailDraft({ to, subject, body }: MailDraft): string {
  const recipient = to.split('@').map(encodeURIComponent).join('@');
  const lines = body.replaceAll(/\r?\n/g, '\r\n');
  return `mailto:${recipient}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(lines)}`;
}

/** Opens the visitor's mail program; the page stays where it is. */
export function openMailDraft(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.click();
}
