import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Splitter, type MimeNode, type SplitterChunk } from '@zone-eu/mailsplit';
import PostalMime, { type Address } from 'postal-mime';

export interface MessageSummary {
  id: string;
  from: string;
  to: string;
  subject: string;
  date: string;
}

interface Attachment {
  filename: string;
  contentType: string;
  size: number;
  content: string;
  cid?: string;
}

export interface Message extends MessageSummary {
  /** Headers by name in lower case. Repeated headers are joined by ', '. */
  headers: Record<string, string>;
  text: string;
  html: string;
  attachments: Attachment[];
}

const KEPT = 500;

export class MessageStore {
  private readonly messages = new Map<string, Message>();

  private constructor(private readonly directory: string) {}

  static async open(directory: string): Promise<MessageStore> {
    await fs.mkdir(directory, { recursive: true });
    const store = new MessageStore(directory);
    const files = (await fs.readdir(directory)).filter((name) => name.endsWith('.eml')).sort();
    for (const name of files) {
      const id = path.basename(name, '.eml');
      store.messages.set(id, await parse(id, await fs.readFile(path.join(directory, name))));
    }
    return store;
  }

  list(): MessageSummary[] {
    return [...this.messages.values()]
      .reverse()
      .map(({ id, from, to, subject, date }) => ({ id, from, to, subject, date }));
  }

  find(id: string): Message | undefined {
    return this.messages.get(id);
  }

  /** Stores an email and returns its id when the file is written. */
  async add(raw: Buffer): Promise<string> {
    const id = `${Date.now()}-${randomUUID().slice(0, 8)}`;
    const message = await parse(id, raw);
    await fs.writeFile(this.getFilePath(id), raw);
    this.messages.set(id, message);
    for (const oldest of [...this.messages.keys()].slice(0, -KEPT)) {
      this.messages.delete(oldest);
      await fs.rm(this.getFilePath(oldest), { force: true });
    }
    return id;
  }

  async clear(): Promise<void> {
    const ids = [...this.messages.keys()];
    this.messages.clear();
    await Promise.all(ids.map((id) => fs.rm(this.getFilePath(id), { force: true })));
  }

  private getFilePath(id: string): string {
    return path.join(this.directory, `${id}.eml`);
  }
}

const addresses = (list: Address[] | undefined): string =>
  (list ?? [])
    .flatMap((entry) => (entry.group ? entry.group : [entry]))
    .map((entry) => entry.address)
    .join(', ');

async function parse(id: string, raw: Buffer): Promise<Message> {
  const mail = await PostalMime.parse(raw, {
    attachmentEncoding: 'arraybuffer',
    forceRfc822Attachments: true, // Like attachedBytes(), which counts attached emails.
  });
  const bytesOf = await attachedBytes(raw);
  const headers: Record<string, string> = {};
  for (const { key, value } of mail.headers)
    headers[key] = key in headers ? `${headers[key]}, ${value}` : value;
  return {
    id,
    from: addresses(mail.from && [mail.from]),
    to: addresses(mail.to),
    subject: mail.subject ?? '',
    date: new Date(Number.parseInt(id, 10)).toISOString(),
    headers,
    text: mail.text ?? '',
    html: mail.html ?? '',
    attachments: mail.attachments.map(({ filename, mimeType, content, contentId }, index) => {
      const bytes = bytesOf[index] ?? Buffer.from(content as ArrayBuffer);
      return {
        filename: filename ?? '',
        contentType: mimeType,
        size: bytes.length,
        content: bytes.toString('base64'),
        ...(contentId !== undefined && { cid: contentId.replaceAll(/[<>]/g, '') }),
      };
    }),
  };
}

/** Returns the attachments' original bytes, in order. PostalMime would change line breaks and calendars. */
async function attachedBytes(raw: Buffer): Promise<Buffer[]> {
  const parts: { node: MimeNode; body: Buffer[] }[] = [];
  const splitter = new Splitter({ ignoreEmbedded: true });
  splitter.end(raw);
  for await (const chunk of splitter as AsyncIterable<SplitterChunk>) {
    if (chunk.type === 'node') parts.push({ node: chunk, body: [] });
    if (chunk.type === 'body') parts.at(-1)?.body.push(chunk.value);
  }
  return Promise.all(
    parts
      .filter(({ node }) => isAttached(node))
      .map(({ node, body }) => {
        const decoder = node.getDecoder();
        decoder.end(Buffer.concat(body));
        return buffer(decoder);
      }),
  );
}

const isAttached = ({ multipart, disposition, contentType }: MimeNode) =>
  multipart === false &&
  (disposition === 'attachment' || !/^text\/(plain|html)$/.test(contentType || 'text/plain'));
