import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { sharedStack } from '../../support/shared-stack.js';

/** Sends bytes that no HTTP client would send, and gives back whatever comes until the gateway ends the connection. */
export async function sendBytes(request: string): Promise<string> {
  const { hostname, port } = new URL(sharedStack().url);
  const socket = connect(Number(port), hostname);
  socket.write(Buffer.from(request, 'latin1')); // not its end: a client that hangs up is not answered
  return text(socket);
}

/** The statuses of the answers in what came. */
export const statusesIn = (answer: string) =>
  [...answer.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
