import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';

/**
 * One at a time in a checkout: two builds would write the same files as if each were alone. The lock is one of the system, which ends with the
 * process that holds it, however that ends: a name that only one may listen at, on macOS a file that only one may have open.
 */
export async function alone(root, run) {
  const release = await (process.platform === 'darwin' ? openAlone : listenAlone)(root);
  try {
    return await run();
  } finally {
    await release();
  }
}

const sayThatWeWait = () => console.log('Waiting for another build of this checkout …');

/** Of no file, which a killed process would leave. */
const nameOf = (root) => {
  const name = `meetmark-build-${createHash('sha256').update(fs.realpathSync(root)).digest('hex')}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : `\0${name}`;
};

async function listenAlone(root) {
  const waiting = new Set();
  const server = net.createServer((socket) => waiting.add(socket.on('error', () => undefined)));
  for (let hasSaid = false; ; hasSaid = true) {
    try {
      await once(server.listen(nameOf(root)), 'listening');
      break;
    } catch (error) {
      if (error.code !== 'EADDRINUSE') throw error;
      if (!hasSaid) sayThatWeWait();
      await endOf(net.connect(nameOf(root)));
    }
  }
  return async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of waiting) socket.destroy();
    await closed;
  };
}

/** Whoever holds the lock ends the connection with it; one that it had not taken yet, or that came too late, fails. */
const endOf = (socket) =>
  new Promise((resolve) =>
    socket
      .resume()
      .on('error', () => undefined)
      .once('close', resolve),
  );

const O_NONBLOCK = 0x4;
const O_EXLOCK = 0x20;

async function openAlone(root) {
  const open = (more) =>
    fs.promises.open(
      path.join(root, 'node_modules/.meetmark-build.lock'),
      fs.constants.O_RDWR | fs.constants.O_CREAT | O_EXLOCK | more,
    );
  const file = await open(O_NONBLOCK).catch((error) => {
    if (error.code !== 'EAGAIN') throw error;
    sayThatWeWait();
    return open(0);
  });
  return () => file.close();
}
