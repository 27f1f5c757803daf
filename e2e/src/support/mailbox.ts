interface MailSummary {
  id: string;
  to: unknown;
  subject: string;
}

const POLL = 200;
const PATIENCE = 20_000;

const read = async <T>(address: string) => (await fetch(address)).json() as Promise<T>;

/** The newest reset code that was mailed to somebody. Mails travel through the worker: it is waited for. */
export async function resetCodeFor(mailboxUrl: string, email: string): Promise<string> {
  const end = Date.now() + PATIENCE;
  while (Date.now() < end) {
    const messages = await read<MailSummary[]>(`${mailboxUrl}/api/messages`);
    for (const { id, to } of messages) {
      if (!JSON.stringify(to).includes(email)) continue;
      const { text } = await read<{ text: string }>(`${mailboxUrl}/api/messages/${id}`);
      const code = text.match(/\b\d{6}\b/)?.[0];
      if (code) return code;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL));
  }
  throw new Error(`no reset code was mailed to ${email}`);
}
