import { once } from 'node:events';
import http from 'node:http';
import { SMTPServer } from 'smtp-server';
import { isPortTaken } from '../embedded/ports.js';
import { inboxPage, messageHtml, messagePage } from './mailbox-page.js';
import { MessageStore } from './message-store.js';

interface MailboxOptions {
  directory: string;
  smtpPort: number;
  webPort: number;
}

export interface Mailbox {
  smtpUrl: string;
  webUrl: string;
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';
const MAX_MESSAGE_BYTES = 25 * 1024 * 1024;
const TOO_LARGE = 552;
/**
 * Accepted host names. Other names are rejected, because the name of a malicious site may point to this
 * machine (DNS rebinding).
 */
const OWN_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Starts a mailbox for development. It accepts all emails and delivers none. `GET /api/messages` lists the
 * emails, newest first. `GET /api/messages/{id}` returns one email. `DELETE /api/messages` deletes all
 * emails. `/` is a web page.
 */
export async function startMailbox({ directory, smtpPort, webPort }: MailboxOptions): Promise<Mailbox> {
  const store = await MessageStore.open(directory);
  const smtp = smtpCatcher(store);
  const web = http.createServer((request, response) => void answer(store, request, response));
  const stop = async () => {
    web.closeAllConnections();
    await Promise.all([
      new Promise<void>((done) => smtp.close(done)),
      new Promise((done) => web.close(done)),
    ]);
  };
  const listening = [listen(smtp.server, smtpPort), listen(web, webPort)];
  try {
    await Promise.all(listening);
  } catch (error) {
    await Promise.allSettled(listening);
    await stop();
    throw error;
  }
  return { smtpUrl: `smtp://${HOST}:${smtpPort}?tls=off`, webUrl: `http://localhost:${webPort}`, stop };
}

async function listen(
  server: { listen(port: number, host: string): unknown } & NodeJS.EventEmitter,
  port: number,
) {
  const listening = once(server, 'listening');
  server.listen(port, HOST);
  await listening;
}

function smtpCatcher(store: MessageStore): SMTPServer {
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    size: MAX_MESSAGE_BYTES,
    onAuth: ({ username }, _session, accept) => accept(null, { user: username }),
    onData(stream, _session, reply) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (stream.sizeExceeded) {
          reply(Object.assign(new Error('The message is too large'), { responseCode: TOO_LARGE }));
          return;
        }
        store.add(Buffer.concat(chunks)).then((id) => reply(null, id), reply);
      });
    },
  });
  // Without a listener, the error of a disconnected client would end this process. `listen` reports a taken
  // port.
  smtp.on('error', (error) => isPortTaken(error) || console.warn(`mailbox: ${error.message}`));
  return smtp;
}

async function answer(
  store: MessageStore,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  const send = (status: number, type: string, body: string, headers: http.OutgoingHttpHeaders = {}) =>
    response
      .writeHead(status, {
        'content-type': `${type}; charset=utf-8`,
        'cache-control': 'no-store',
        ...headers,
      })
      .end(body);
  const sendJson = (status: number, body: unknown) => send(status, 'application/json', JSON.stringify(body));
  if (!isForUs(request)) return void sendJson(421, { message: 'The mailbox is not known by this name' });
  try {
    const { pathname } = new URL(request.url ?? '/', 'http://mailbox');
    if (pathname === '/') return void send(200, 'text/html', inboxPage(store.list()));
    if (pathname === '/api/messages' && request.method === 'DELETE') {
      await store.clear();
      return void response.writeHead(204).end();
    }
    if (pathname === '/api/messages') return void sendJson(200, store.list());
    const [, id = '', view] = /^(?:\/api)?\/messages\/([\w-]+)(\/html)?$/.exec(pathname) ?? [];
    const message = store.find(id);
    if (!message) return void sendJson(404, { message: 'There is no such message' });
    if (pathname.startsWith('/api/')) return void sendJson(200, message);
    if (!view) return void send(200, 'text/html', messagePage(message));
    const policy =
      "sandbox allow-popups; default-src 'none'; img-src data: https: http:; style-src 'unsafe-inline'";
    send(200, 'text/html', messageHtml(message), { 'content-security-policy': policy });
  } catch (error) {
    sendJson(500, { message: error instanceof Error ? error.message : String(error) });
  }
}

/**
 * Whether the request is for this server. Requires exactly one Host header. Rejects absolute URLs, which are
 * meant for a proxy.
 */
function isForUs({ rawHeaders, url = '' }: http.IncomingMessage): boolean {
  const hosts = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'host');
  const [name = ''] = hosts.map((host) => host.replace(/:\d*$/, '').toLowerCase());
  return hosts.length === 1 && OWN_NAMES.includes(name) && url.startsWith('/');
}
