interface MailSummary {
  id: string;
  to: unknown;
  subject: string;
}

const POLL = 200;
const PATIENCE = 20_000;

const read = async <T>(address: string) => (await fetch(address)).json() as Promise<T>;

/** The text of the newest mail to somebody that fits. Mails travel through the worker: it is waited for. */
export async function mailFor(
  mailboxUrl: string,
  email: string,
  fits: (text: string) => boolean,
): Promise<string> {
  const end = Date.now() + PATIENCE;
  while (Date.now() < end) {
    const messages = await read<MailSummary[]>(`${mailboxUrl}/api/messages`);
    for (const { id, to } of messages) {
      if (!JSON.stringify(to).includes(email)) continue;
      const { text } = await read<{ text: string }>(`${mailboxUrl}/api/messages/${id}`);
      if (fits(text)) return text;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL));
  }
  throw new Error(`no such mail to ${email}`);
}

const CODE = /\b\d{6}\b/;

/** The newest reset code that was mailed to somebody. */
export async function resetCodeFor(mailboxUrl: string, email: string): Promise<string> {
  const text = await mailFor(mailboxUrl, email, (each) => CODE.test(each));
  return CODE.exec(text)?.[0] ?? '';
}
