interface MailDraft {
  to: string;
  subject: string;
  body: string;
}

export function mailDraft({ to, subject, body }: MailDraft): string {
  const recipient = to.split('@').map(encodeURIComponent).join('@');
  const lines = body.replaceAll(/\r?\n/g, '\r\n');
  return `mailto:${recipient}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(lines)}`;
}

export function openMailDraft(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.click();
}
