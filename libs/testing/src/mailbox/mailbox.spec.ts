import fs from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import nodemailer, { type SendMailOptions } from 'nodemailer';
import { anyFreePort, isPortFree } from '../embedded/ports.js';
import { type Mailbox, startMailbox } from './mailbox.js';
import type { Message, MessageSummary } from './message-store.js';

const ALL_BYTES = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));

describe('the mailbox', () => {
  let directory: string;
  let mailbox: Mailbox;

  const open = async () => {
    mailbox = await startMailbox({ directory, smtpPort: await anyFreePort(), webPort: await anyFreePort() });
  };
  const send = (mail: SendMailOptions = {}) =>
    nodemailer
      .createTransport(mailbox.smtpUrl)
      .sendMail({ from: 'hello@meetmark.example', to: 'ann@example.org', text: 'text', ...mail });
  const get = async <Body>(address: string) =>
    (await fetch(`${mailbox.webUrl}${address}`)).json() as Promise<Body>;
  const newest = async () => {
    const [summary] = await get<MessageSummary[]>('/api/messages');
    return get<Message>(`/api/messages/${summary?.id}`);
  };
  const deleteAll = () => fetch(`${mailbox.webUrl}/api/messages`, { method: 'DELETE' });

  beforeAll(async () => {
    directory = await fs.mkdtemp(path.join(os.tmpdir(), 'meetmark-mailbox-'));
    await open();
  });
  afterEach(() => deleteAll());
  afterAll(async () => {
    await mailbox.stop();
    await fs.rm(directory, { recursive: true });
  });

  it('opens no port when one of its two ports is taken', async () => {
    const smtpPort = await anyFreePort();
    const webPort = Number(new URL(mailbox.webUrl).port);
    await expect(startMailbox({ directory, smtpPort, webPort })).rejects.toThrow('EADDRINUSE');
    expect(await isPortFree(smtpPort)).toBe(true);
  });

  it('answers only requests with a local host name', async () => {
    await send({ subject: 'A code', text: '123456' });
    const port = Number(new URL(mailbox.webUrl).port);
    const ask = async (target: string, ...hosts: string[]) => {
      const socket = net.connect(port, '127.0.0.1');
      const lines = hosts.map((host) => `Host: ${host}\r\n`).join('');
      socket.write(`GET ${target} HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`);
      const answer = await text(socket);
      return [/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1], answer.includes('A code')];
    };
    for (const host of [`localhost:${port}`, '127.0.0.1', 'LOCALHOST', `[::1]:${port}`])
      expect([host, ...(await ask('/api/messages', host))]).toEqual([host, '200', true]);
    for (const host of ['evil.example', `evil.example:${port}`, 'localhost.evil.example', ''])
      expect([host, ...(await ask('/api/messages', host))]).toEqual([host, '421', false]);
    expect(await ask('/', 'evil.example')).toEqual(['421', false]);
    expect((await ask('/api/messages', 'localhost', 'evil.example'))[1]).toBe(false);
    expect(await ask('http://evil.example/api/messages', 'localhost')).toEqual(['421', false]);
  });

  it('lists messages, newest first', async () => {
    await send({ from: 'Meetmark <hello@meetmark.example>', subject: 'First' });
    await send({ to: ['bob@example.org', 'eve@example.org'], subject: 'Second' });
    const from = 'hello@meetmark.example';
    expect(await get('/api/messages')).toMatchObject([
      { from, to: 'bob@example.org, eve@example.org', subject: 'Second' },
      { from, to: 'ann@example.org', subject: 'First' },
    ]);
  });

  it('shows the headers, text, HTML and attachments of a message', async () => {
    await send({
      subject: 'Café “Übersicht”',
      headers: { 'List-Unsubscribe': '<https://meetmark.example/stop>' },
      text: 'plain',
      html: '<b>bold</b>',
      attachments: [{ filename: 'all.bin', contentType: 'text/calendar', content: ALL_BYTES }],
    });
    const message = await newest();
    expect(message.subject).toBe('Café “Übersicht”');
    expect(message.headers['list-unsubscribe']).toBe('<https://meetmark.example/stop>');
    expect(message.text.trim()).toBe('plain');
    expect(message.html).toContain('<b>bold</b>');
    const [attachment] = message.attachments;
    expect(attachment).toMatchObject({
      ...{ filename: 'all.bin', contentType: 'text/calendar', content: ALL_BYTES.toString('base64') },
    });
  });

  it.each(['base64', 'quoted-printable', '7bit'] as const)(
    'returns attachments byte for byte with the encoding %s',
    async (encoding) => {
      const calendar = 'BEGIN:VCALENDAR\r\nSUMMARY:Caf\r\nEND:VCALENDAR\r\n';
      const attachments = [
        { filename: 'event.ics', contentType: 'text/calendar; method=PUBLISH', content: calendar },
        { filename: 'open.ics', contentType: 'text/calendar; charset=utf-8', content: 'no\r\nend' },
        { filename: 'lines.txt', contentType: 'text/plain', content: 'spaces  \r\n\r\n\r\n' },
        { filename: 'message.eml', contentType: 'message/rfc822', content: 'Subject: a\r\n\r\nb\r\n' },
      ].map((attachment) => ({ ...attachment, contentTransferEncoding: encoding }));
      await send({ html: '<p>text</p>', attachments });
      const got = (await newest()).attachments.map(({ filename, size, content }) => [
        ...[filename, Buffer.from(content, 'base64').toString(), size],
      ]);
      expect(got).toEqual(attachments.map(({ filename, content }) => [filename, content, content.length]));
    },
  );

  it('keeps messages after a restart until they are deleted', async () => {
    await send({ subject: 'Kept' });
    await mailbox.stop();
    await open();
    expect(await newest()).toMatchObject({ subject: 'Kept' });
    await deleteAll();
    expect(await get('/api/messages')).toEqual([]);
  });

  it('never lets a message run scripts', async () => {
    await send({ subject: '<script>alert(1)</script>', html: '<script>alert(2)</script>' });
    const { id } = await newest();
    expect(await (await fetch(`${mailbox.webUrl}/messages/${id}`)).text()).not.toContain('<script>');
    const frame = await fetch(`${mailbox.webUrl}/messages/${id}/html`);
    expect(frame.headers.get('content-security-policy')).toContain(
      "sandbox allow-popups; default-src 'none'",
    );
  });

  it('answers 404 for an unknown message', async () => {
    expect((await fetch(`${mailbox.webUrl}/api/messages/none`)).status).toBe(404);
  });
});
