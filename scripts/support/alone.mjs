import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';

/**
 * Calls `run` as soon as no other process of this checkout is in `run`. Concurrent builds would write the
 * same files. The lock is the name of a socket, or on macOS an exclusively opened file. When a process ends,
 * the system frees its lock.
 */
export async function alone(root, run) {
  const release = await (process.platform === 'darwin' ? openAlone : listenAlone)(root);
  try {
    return await run();
  } finally {
    await release();
  }
}

const sayThatWeWait = () => console.log('Waiting for another build of this folder …');

/** Returns a name for a socket or pipe that needs no file. A killed process would leave a file behind. */
const getLockName = (root) => {
  const name = `meetmark-build-${createHash('sha256').update(fs.realpathSync(root)).digest('hex')}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : `\0${name}`;
};

async function listenAlone(root) {
  const waiting = new Set();
  const server = net.createServer((socket) => waiting.add(socket.on('error', () => undefined)));
  for (let hasSaid = false; ; hasSaid = true) {
    try {
      await once(server.listen(getLockName(root)), 'listening');
      break;
    } catch (error) {
      if (error.code !== 'EADDRINUSE') throw error;
      if (!hasSaid) sayThatWeWait();
      await waitForClose(net.connect(getLockName(root)));
    }
  }
  return async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of waiting) socket.destroy();
    await closed;
  };
}

/** Resolves when the process with the lock frees it or ends. */
const waitForClose = (socket) =>
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
